import { PATHS } from '#core/paths.ts';

type Props = {
  isOwner: boolean;
  /** The token that binds the form to this browser. */
  form: string;
};

/** Who is signed in, and the way out. */
export function SignedIn({ isOwner, form }: Props) {
  return (
    <form method="post" action={PATHS.signOut} class="note">
      You are signed in{isOwner ? ' as the owner of this server' : ''}. <input type="hidden" name="form" value={form} />
      <button type="submit" class="quiet">
        Sign out
      </button>
    </form>
  );
}
