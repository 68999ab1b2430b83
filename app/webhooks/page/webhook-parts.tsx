import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { TextLink } from "~/ui/links";
import { Notice } from "~/ui/notice";
import type { DeliveryRow } from "../load-webhooks.server";
import type { PostResult } from "../webhooks-post.server";

const TONES = {
  active: "ok",
  failing: "warn",
  off: "neutral",
  waiting: "warn",
  delivered: "ok",
  failed: "bad",
} as const;

export function StateBadge({ state }: { state: keyof typeof TONES }) {
  return <Badge tone={TONES[state]}>{state}</Badge>;
}

export function Subject({ subject }: Pick<DeliveryRow, "subject">) {
  return subject ? <TextLink to={subject.href}>{subject.name}</TextLink> : null;
}

export function NewSecret({ secret }: Pick<PostResult, "secret">) {
  if (!secret) return null;
  return (
    <Notice tone="ok" title={secret.rotated ? "New signing secret." : "Endpoint created."} urgent>
      Copy the signing secret now: it is shown only once.{" "}
      {secret.rotated
        ? "Earlier secrets stay valid for 24 hours: each request has a signature of each."
        : null}
      <span className="mt-2 flex flex-wrap items-center gap-2">
        <code className="wire rounded-[4px] border border-line bg-surface px-2 py-1">{secret.text}</code>
        <CopyButton text={secret.text} subject="the signing secret" />
      </span>
    </Notice>
  );
}
