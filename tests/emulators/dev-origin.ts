/**
 * The console's own address in development when the `.env` file contradicts the port: sign-in and payment would
 * return to an address on which nothing listens.
 * @param set the environment with `.env` in it
 * @param before the environment before `.env` was read; an APP_ORIGIN there was set on purpose, by a person with a
 * proxy
 * @returns null when nothing has to change
 */
export function findDevOrigin(
  set: Record<string, string | undefined>,
  before: Record<string, string | undefined>,
): { origin: string; sentence: string } | null {
  const { PORT: port, APP_ORIGIN: origin } = set;
  if (!port || !origin || before.APP_ORIGIN || !URL.canParse(origin)) return null;
  const url = new URL(origin);
  const local = url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (!local || url.port === port) return null;
  url.port = port;
  return {
    origin: url.origin,
    sentence: `PORT is ${port}, so the console's address is ${url.origin} for now. APP_ORIGIN in .env is ${origin}.`,
  };
}
