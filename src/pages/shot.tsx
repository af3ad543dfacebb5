import { PATHS } from '#core/paths.ts';
import type { StepWithout } from '#core/deeds.ts';

type Props = {
  /** The step whose picture it is; `null` for none. */
  picture: string | null;
  to: string | null;
  alt: string;
  without: StepWithout | null;
};

/** The small picture of a step, or why there is none. */
export function Shot({ picture, to, alt, without }: Props) {
  if (picture === null) return <span class="shot none">{WITHOUT[without ?? 'dropped']}</span>;
  const source = `${PATHS.stepPicture}?id=${encodeURIComponent(picture)}`;
  return (
    <a class="shot" href={to ?? source}>
      <img src={source} alt={alt} width="640" height="400" loading="lazy" />
    </a>
  );
}

const WITHOUT: Record<StepWithout, string> = {
  off: 'No picture: they are switched off',
  hidden: 'No picture: the page asked for something that is yours alone',
  busy: 'No picture: the next call was waiting',
  failed: 'No picture: the page gave none in time',
  dropped: 'No picture',
};
