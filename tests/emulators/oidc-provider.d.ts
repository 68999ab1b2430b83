/** The part of `oidc-provider`, which ships no types, that the identity emulator uses. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  interface Context {
    type: string;
    body: unknown;
    oidc: {
      params: { scope: string };
      session: { accountId: string };
      client: { clientId: string };
      result?: { login?: object };
    };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ uid: string }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    Grant: new (owner: {
      clientId: string;
      accountId: string;
    }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
  }

  class Check {
    constructor(reason: string, description: string, check: (context: Context) => boolean);
  }

  export const interactionPolicy: {
    Check: typeof Check;
    base(): { get(prompt: string): { checks: { add(check: Check): void } } };
  };
}
