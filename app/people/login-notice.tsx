import { useLocation } from "@remix-run/react";
import { Notice } from "~/ui/notice";

/** In place of what only signed-in people see. `purpose` goes on after "Log in". */
export function LoginNotice({ purpose }: { purpose: string }) {
  const { pathname, search } = useLocation();
  return (
    <Notice tone="info" title="You are not logged in.">
      <a className="link" href={`/api/auth/login?${new URLSearchParams({ returnTo: pathname + search })}`}>
        Log in
      </a>{" "}
      {purpose}
    </Notice>
  );
}
