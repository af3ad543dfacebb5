import { Layout } from './layout.tsx';

/** A page that says one thing and what to do about it. */
export function Message({ title, text }: { title: string; text: string }) {
  return (
    <Layout title={`${title} – Periscope`}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href="/">What Periscope is and how to connect</a>
      </p>
    </Layout>
  );
}
