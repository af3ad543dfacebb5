import { Layout } from './layout.tsx';

/** A page that goes on by itself, without a script. The link is for browsers that do not. */
export function Continue({ to, label, title }: { to: string; label: string; title: string }) {
  return (
    <Layout title={`${title} – Periscope`} goesTo={to}>
      <h1>{title}</h1>
      <p>
        <a href={to}>{label}</a>
      </p>
    </Layout>
  );
}
