/** In the place of the Builder, where its form was too large to be read: the browser still has it. */
export function TooLarge({ message }: { message: string }) {
  return (
    <section aria-labelledby="too-large" className="mx-auto grid w-full max-w-xl gap-4 px-4 py-16">
      <h1 id="too-large" className="text-xl">
        Too large to take
      </h1>
      <p>{message}</p>
      <p>
        Go back in your browser: the form is there with what you typed. Choose a smaller file, then send
        again.
      </p>
      <p className="text-dim">
        Some browsers ask first whether to post the page before this one again. That brings the form as it was
        then; live mail that it had sent is not sent a second time.
      </p>
    </section>
  );
}
