import { useRevalidator, useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";

interface CurrentAccount {
  userId: string;
  available: number;
  /** Credits set aside for pieces whose outcome is not known. */
  held: number;
}

/** Finds the credits that `userId` can spend; null for another user's account. */
export function findAvailable(account: CurrentAccount | null, userId: string | null): number | null {
  return account !== null && account.userId === userId ? account.available : null;
}

/** The current user's credits, which every page loads for its header; null when they could not be loaded. */
export function useCurrentAccount(): CurrentAccount | null {
  return useRouteLoaderData<{ account: CurrentAccount | null }>("root")?.account ?? null;
}

/** Asks for the credits again when a person comes back to this window, which may be from buying some in another one. */
export function useFreshAccount(short: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!short) return;
    window.addEventListener("focus", revalidate);
    return () => window.removeEventListener("focus", revalidate);
  }, [short, revalidate]);
}
