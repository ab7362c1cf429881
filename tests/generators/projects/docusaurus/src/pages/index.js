import Layout from '@theme/Layout';
import Words from '../components/Words';

export default function Home() {
  return <Layout title="Home"><main><h1>Tea</h1><Words /></main></Layout>;
}
