/**
 * The console's own address in development, where `.env` contradicts the port: log-in and payment would return to
 * an address at which nothing listens.
 * @param set the environment with `.env` in it
 * @param given the environment before `.env` was read; an APP_ORIGIN there is meant, by a person with a proxy
 * @returns null where there is nothing to change
 */
export function findDevOrigin(
  set: Record<string, string | undefined>,
  given: Record<string, string | undefined>,
): { origin: string; sentence: string } | null {
  const { PORT: port, APP_ORIGIN: origin } = set;
  if (!port || !origin || given.APP_ORIGIN || !URL.canParse(origin)) return null;
  const url = new URL(origin);
  const local = url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (!local || url.port === port) return null;
  url.port = port;
  return {
    origin: url.origin,
    sentence: `PORT is ${port}, so the console's address is ${url.origin} for now. APP_ORIGIN in .env is ${origin}.`,
  };
}
