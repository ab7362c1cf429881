export default function Words() {
  return <p>All about tea.</p>;
}
