import { useRouteLoaderData } from "@remix-run/react";

interface CurrentAccount {
  userId: string;
  /** Credits that can be spent. */
  available: number;
}

/** The credits that `userId` can spend; null unless the account is theirs. */
export function findAvailable(account: CurrentAccount | null, userId: string | null): number | null {
  return account !== null && account.userId === userId ? account.available : null;
}

/** The current user's credits, which every page loads for its header; null when they could not be loaded. */
export function useCurrentAccount(): CurrentAccount | null {
  return useRouteLoaderData<{ account: CurrentAccount | null }>("root")?.account ?? null;
}
