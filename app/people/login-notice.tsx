import { useLocation } from "@remix-run/react";
import { EmptyState } from "~/ui/empty/empty-state";

/** Replaces a part that needs a sign-in. `purpose` follows "Log in". */
export function LoginNotice({ purpose }: { purpose: string }) {
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      drawing="key"
      action={
        <a
          className="button button-primary"
          href={`/api/auth/login?${new URLSearchParams({ returnTo: pathname + search })}`}
        >
          Log in
        </a>
      }
    >
      <strong className="block">You are not logged in.</strong>
      Log in {purpose}
    </EmptyState>
  );
}
