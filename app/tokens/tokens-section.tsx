import { Form, useNavigation } from "@remix-run/react";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { TOKEN_SCOPES } from "~/platform/http/token-scopes";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { EmptyState } from "~/ui/empty/empty-state";
import { Field, TextField } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { FreshOnly, useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice, ProblemNotice } from "~/ui/notice";
import { ConfirmForm } from "~/ui/submit";
import type { TokensView } from "./manage-tokens.server";
import { EMPTY_DRAFT, LIFETIMES, SCOPES, type TokenDraft } from "./token-view";

export function TokensSection({
  view,
  created,
  draft,
}: {
  view: TokensView;
  /** Shown once. */
  created: { name: string; text: string } | null;
  draft: TokenDraft | null;
}) {
  const { own, others, revoking } = view;
  const inUse = own.filter(({ ended }) => ended === null);
  const ended = own.filter((token) => token.ended !== null);
  return (
    <section aria-labelledby="tokens" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <header>
        <h2 id="tokens">Access tokens</h2>
        <p className="max-w-prose text-dim">
          A program calls the API with a token, on your behalf. Its actions are recorded under your name and
          the token's. <TextLink to="/reference">API reference</TextLink> ·{" "}
          <TextLink to="/api-log">API log</TextLink>
        </p>
      </header>
      {created ? <CreatedToken created={created} /> : null}
      {revoking ? (
        <ConfirmForm
          title={`Revoke ${revoking.name}?`}
          message={`Programs that use ${revoking.name} are refused from then on. This cannot be undone.`}
          fields={{ intent: "revoke_token", token: revoking.id }}
          confirmLabel="Revoke token"
          cancelTo="/profile"
          cancelLabel="Keep it"
          action="/profile"
        />
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="grid min-w-0 gap-4">
          {inUse.length === 0 ? (
            <EmptyState drawing="key">
              You have no tokens yet. Each token appears here with its scopes and when it was last used.
            </EmptyState>
          ) : (
            <TokenTable label="Your tokens" rows={inUse} />
          )}
          {ended.length > 0 ? (
            <details>
              <summary className="text-dim">{formatCount(ended.length, "ended token")}</summary>
              <TokenTable label="Ended tokens" rows={ended} />
            </details>
          ) : null}
          {others && others.length > 0 ? (
            <div className="min-w-0">
              <h3 className="mb-1">Tokens of other people</h3>
              <TokenTable label="Tokens of other people" rows={others} owners />
            </div>
          ) : null}
        </div>
        <FreshOnly purpose="create a token" typed={draft !== null}>
          <NewTokenForm key={draft ? "again" : (created?.name ?? "new")} draft={draft ?? EMPTY_DRAFT} />
        </FreshOnly>
      </div>
    </section>
  );
}

function CreatedToken({ created }: { created: { name: string; text: string } }) {
  return (
    <Notice tone="ok" title={`Token ${created.name} created.`} urgent>
      Copy it now: it is shown only once.
      <span className="mt-2 flex flex-wrap items-center gap-2">
        <code className="wire rounded-[4px] border border-line bg-surface px-2 py-1">{created.text}</code>
        <CopyButton text={created.text} subject="the token" />
      </span>
    </Notice>
  );
}

function TokenTable({ label, rows, owners }: { label: string; rows: TokensView["own"]; owners?: boolean }) {
  return (
    <Table
      label={label}
      head={[
        "Name",
        ...(owners ? ["Owner"] : []),
        "Scopes",
        { numeric: "Credits per day" },
        "Last used",
        "Expires",
        { unseen: "Action" },
      ]}
    >
      {rows.map((token) => (
        <Row key={token.id}>
          <Cell wraps="name">
            {token.name} <span className="wire text-dim">…{token.ending}</span>
          </Cell>
          {owners ? (
            <Cell wraps="name">
              {token.owner}
              {token.isOwnerAway ? <span className="block text-warn">Refused until they sign in</span> : null}
            </Cell>
          ) : null}
          <Cell>
            <span className="flex flex-wrap gap-1">
              {token.scopes.map((scope) => (
                <Badge key={scope} tone={scope === "send:live" ? "bad" : "neutral"}>
                  {scope}
                </Badge>
              ))}
            </span>
          </Cell>
          <Cell numeric>{token.dailyCredits === null ? "No limit" : formatInteger(token.dailyCredits)}</Cell>
          <Cell>
            {token.lastUsed ? (
              <TextLink to={`/api-log?token=${token.id}`} aria-label={`Calls of ${token.name}`}>
                <Moment at={token.lastUsed} />
              </TextLink>
            ) : (
              <span className="text-dim">Never</span>
            )}
          </Cell>
          <Cell>
            <span title={token.expires.absolute} className="whitespace-nowrap">
              {token.expires.absolute.split(",")[0]}
            </span>
          </Cell>
          <Cell>
            {token.ended ? (
              <span className="text-dim">{token.ended === "revoked" ? "Revoked" : "Expired"}</span>
            ) : (
              <TextLink to={`/profile?revoke=${token.id}`} preventScrollReset>
                Revoke<span className="sr-only"> {token.name}</span>
              </TextLink>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Form for a new token. Without JavaScript the answer shows the typed values with their problems. */
function NewTokenForm({ draft }: { draft: TokenDraft }) {
  const busy = useNavigation().formData?.get("intent") === "create_token";
  const { problems } = draft;
  return (
    <Form method="post" action="/profile" aria-labelledby="new-token" className="grid content-start gap-3">
      <h3 id="new-token">New token</h3>
      <ProblemNotice>{problems.form}</ProblemNotice>
      <TextField
        id="token-name"
        label="Name"
        required
        marked
        description="Up to 60 letters, digits, spaces and . _ -"
        error={problems.name ?? null}
        name="name"
        defaultValue={draft.name}
        maxLength={60}
        placeholder="nightly-job"
      />
      <fieldset aria-describedby={problems.scopes ? "token-scopes-error" : undefined}>
        <legend className="mb-1">Scopes</legend>
        <div className="grid gap-1.5">
          {TOKEN_SCOPES.filter(useMay()).map((scope) => (
            <label key={scope} className="flex items-start gap-2">
              <input
                type="checkbox"
                name="scope"
                value={scope}
                defaultChecked={draft.scopes.includes(scope)}
                className="mt-0.5"
              />
              <span className="min-w-0">
                <span className={`wire ${scope === "send:live" ? "font-semibold text-live" : ""}`}>
                  {scope}
                </span>{" "}
                <span className="text-dim">{SCOPES[scope]}</span>
              </span>
            </label>
          ))}
        </div>
        {problems.scopes ? (
          <p id="token-scopes-error" className="mt-1 font-semibold text-live">
            {problems.scopes}
          </p>
        ) : null}
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <Field id="token-days" label="Expires in" error={problems.days ?? null}>
          <select id="token-days" name="days" defaultValue={draft.days} className="control">
            {LIFETIMES.map((days) => (
              <option key={days} value={days}>
                {days === 365 ? "1 year" : `${days} days`}
              </option>
            ))}
          </select>
        </Field>
        <TextField
          id="token-daily"
          label="Credits per day"
          error={problems.dailyCredits ?? null}
          name="daily_credits"
          type="number"
          min={1}
          max={1_000_000}
          step={1}
          defaultValue={draft.dailyCredits}
          placeholder="No limit"
          aria-describedby="token-daily-hint"
        />
      </div>
      <p id="token-daily-hint" className="-mt-2 text-dim text-small">
        Live mail of this token per day (UTC). Leave empty for no limit.
      </p>
      <button
        type="submit"
        name="intent"
        value="create_token"
        disabled={busy}
        className="button button-primary justify-self-start"
      >
        {busy ? "Creating..." : "Create token"}
      </button>
    </Form>
  );
}
