export default { paths: () => [{ params: { sort: 'green' } }, { params: { sort: 'black' } }] }
