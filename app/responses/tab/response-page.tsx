import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { formatInteger } from "~/platform/format-integer";
import type { Flash } from "~/platform/http/flash.server";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { Absent, Fact, Pairs } from "~/ui/fact";
import { canDraw, FileView } from "~/ui/file-view";
import { parseExact } from "~/ui/json/exact-json";
import { writeValue } from "~/ui/json/tree-rows";
import { ButtonLink, TextLink } from "~/ui/links";
import { Moment } from "~/ui/moment";
import { FlashNotice, Notice } from "~/ui/notice";
import { ModeBadge, StatusCodeBadge } from "./badges";
import {
  CancelledNotice,
  CancelMail,
  ConfirmCancel,
  DeleteForm,
  DeleteResponse,
  DownloadAnswer,
  EditTags,
  Tags,
  Value,
} from "./response-parts";
import type { CancelQuestion, ResponsePageView } from "./stored-view.server";

interface ResponsePageProps {
  view: ResponsePageView;
  question: CancelQuestion | null;
  /** When and by whom personal data in it was erased. */
  erased: string | null;
  flash: Flash | null;
}

export function ResponsePage({ view, question, erased, flash }: ResponsePageProps) {
  const { row } = view;
  const subject = `${row.method} ${row.path}`;
  return (
    <div className="page py-6">
      <div>
        <p className="text-dim">
          <TextLink to="/stored">Stored Responses</TextLink> /{" "}
          <span className="wire [overflow-wrap:anywhere]">{row.id}</span>
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-title [overflow-wrap:anywhere]">
            <span className="wire text-lead">
              {row.method} {row.path}
            </span>
          </h1>
          <ModeBadge mode={row.mode} />
          <StatusCodeBadge status={row.status} refused={row.isRefused} />
          {row.cancelled ? <Badge tone="bad">Cancelled</Badge> : null}
        </div>
      </div>
      <FlashNotice flash={flash} />
      {erased ? <Notice tone="info">{erased}</Notice> : null}
      {row.cancelled ? <CancelledNotice cancelled={row.cancelled} /> : null}
      <div id={`response-${row.id}`} className="relative flex flex-wrap items-start gap-x-4 gap-y-2">
        {view.erasedPart === "all" ? null : (
          <>
            <Link to={`/?response=${row.id}`} className="button button-primary">
              Open in Builder
            </Link>
            <ButtonLink to={`/?response=${row.id}&again=1`}>Run again</ButtonLink>
          </>
        )}
        <span className="flex flex-wrap items-start gap-x-4 gap-y-1 pt-1.5">
          {row.canCancel ? <CancelMail id={row.id} subject={subject} isOpen={question !== null} /> : null}
          <DeleteResponse id={row.id} subject={subject} hasSend={row.sendId !== null} />
          <DeleteForm returnTo="/stored" />
        </span>
      </div>
      {question && row.canCancel ? <ConfirmCancel question={question} /> : null}
      <Facts view={view} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 lg:grid-cols-2">
        <section aria-labelledby="request" className="grid min-w-0 content-start gap-3">
          <h2 id="request">Request</h2>
          {view.url === null ? null : (
            <p className="wire [overflow-wrap:anywhere]">
              <strong>{row.method}</strong> {view.url}
            </p>
          )}
          <Part title="Query" rows={view.query} />
          <Part title="Request headers" rows={view.requestHeaders} />
          <Body title="Request body" text={view.requestBody} />
        </section>
        <section aria-labelledby="response" className="grid min-w-0 content-start gap-3">
          <h2 id="response">Response</h2>
          <Part title="Response headers" rows={view.responseHeaders} />
          <Body title="Response body" text={view.responseBody} isFile={view.answer.isFile}>
            {view.responseBody === null ? null : <DownloadAnswer id={row.id} />}
          </Body>
          {canDraw(view.answer) ? (
            <FileView type={view.answer.type} src={`/stored/${row.id}/answer`} subject="The answer" />
          ) : null}
        </section>
      </div>
    </div>
  );
}

function Facts({ view }: { view: ResponsePageView }) {
  const { row } = view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-1 border-line border-y py-3 sm:grid-cols-2">
      <dl className={FACTS}>
        <Fact name="User">
          <bdi className="[overflow-wrap:anywhere]">{row.user}</bdi>
        </Fact>
        {row.addressee === null ? null : (
          <Fact name="To">
            <bdi>{row.addressee}</bdi>
          </Fact>
        )}
        <Fact name="When">
          <Moment at={row.at} absolute /> UTC, <Moment at={row.at} />
        </Fact>
        <Fact name="Piece">
          {row.sendId === null ? (
            <span className="text-dim">{row.mode === "test" ? "a test has none" : "no live mail"}</span>
          ) : (
            <TextLink to={`/sends/${row.sendId}`}>View piece</TextLink>
          )}
        </Fact>
        <Fact name="Tags">
          <span className="flex flex-wrap gap-1.5">
            {row.tags.length === 0 ? <Absent why="none" /> : <Tags tags={row.tags} query="" />}
            <EditTags id={row.id} tags={row.tags} />
          </span>
        </Fact>
      </dl>
      <dl className={FACTS}>
        <Fact name="Category">{row.category}</Fact>
        <Fact name="Preset">{row.preset === "" ? <Absent why="none" /> : row.preset}</Fact>
        <Fact name="Base URL">{view.base ?? <Absent why="not stored" />}</Fact>
        <Fact name="Duration">
          {row.durationMs === null ? <Absent why="not stored" /> : `${formatInteger(row.durationMs)} ms`}
        </Fact>
      </dl>
    </div>
  );
}

const FACTS = "grid grid-cols-[minmax(5rem,max-content)_minmax(0,1fr)] content-start gap-x-4 gap-y-1";

function Part({ title, rows }: { title: string; rows: [string, string][] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 className="pb-1 text-dim">{title}</h3>
      <Pairs rows={rows} />
    </div>
  );
}

interface BodyProps {
  title: string;
  text: string | null;
  isFile?: boolean;
  children?: ReactNode;
}

function Body({ title, text, isFile = false, children }: BodyProps) {
  const copied = () => writeValue(parseExact(text ?? "") ?? "");
  return (
    <div className="min-w-0">
      <div className="flex items-center justify-between pb-1">
        <h3 className="text-dim">{title}</h3>
        <span className="flex gap-4">
          {children}
          {text === null || isFile ? null : <CopyButton text={copied} inline />}
        </span>
      </div>
      <div className="overflow-x-clip bg-sunken">
        <Value label={title} text={text} />
      </div>
    </div>
  );
}
