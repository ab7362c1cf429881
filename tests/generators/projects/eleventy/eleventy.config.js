export default function (config) {
  config.addPassthroughCopy('robots.txt'); // "dir: { input: 'elsewhere' }" is only said here
  return { dir: { input: 'content', includes: '../_includes', output: '_site' } };
}
