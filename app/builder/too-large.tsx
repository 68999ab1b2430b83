import { TOO_LARGE_BACK, TOO_LARGE_RESEND } from "./messages";

/** Replaces the Builder when its form was too large for the server to read. The browser still has what was typed. */
export function TooLarge({ message }: { message: string }) {
  return (
    <section aria-labelledby="too-large" className="mx-auto grid w-full max-w-xl gap-4 px-4 py-16">
      <h1 id="too-large" className="text-title">
        The form is too large
      </h1>
      <p>{message}</p>
      <p>{TOO_LARGE_BACK}</p>
      <p className="text-dim">{TOO_LARGE_RESEND}</p>
    </section>
  );
}
