/** Asks someone whom another site sent to the logout address whether that is what they want. */
export function LogoutCard() {
  return (
    <section aria-labelledby="logout-title" className="mx-auto w-full max-w-[1180px] px-4 py-8">
      <h1 id="logout-title" className="text-title">
        Log out?
      </h1>
      <p className="mt-2">Another site brought you here. You are still logged in.</p>
      <form method="post" action="/api/auth/logout" className="mt-4 flex items-center gap-4">
        <button type="submit" className="button button-primary">
          Log out
        </button>
        <a href="/" className="link">
          Stay logged in
        </a>
      </form>
    </section>
  );
}
