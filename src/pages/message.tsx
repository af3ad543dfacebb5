import { Layout } from './layout.tsx';

type Link = { to: string; label: string };

const START: Link = { to: '/', label: 'What Periscope is and how to connect' };

/** A page that says one thing and what to do about it. */
export function Message({ title, text, link = START }: { title: string; text: string; link?: Link }) {
  return (
    <Layout title={`${title} – Periscope`}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={link.to}>{link.label}</a>
      </p>
    </Layout>
  );
}
