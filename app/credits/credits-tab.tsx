import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { LoginNotice } from "~/people/login-notice";
import { TextField } from "~/ui/field";
import { May } from "~/ui/may";
import { DatabaseNotice, Notice, ProblemNotice } from "~/ui/notice";
import { PollUntilDone } from "~/ui/reload";
import { Submit } from "~/ui/submit";
import { Manage } from "./adjustments/manage";
import { buildEmptyFormView, type PostedForm, useRefusedForm } from "./credit-forms";
import type { CreditsView } from "./credits-view.server";
import { History } from "./history/history";
import { Overview } from "./overview/overview";
import { BuyForm } from "./purchases/buy-form";
import { Spending } from "./spending/spending";

const SUBTABS = [
  { name: "overview", label: "Overview" },
  { name: "spending", label: "Spending" },
  { name: "purchase", label: "Purchase Credits" },
  { name: "manage", label: "Manage Credits" },
  { name: "history", label: "Transaction History" },
] as const;

export function CreditsTab({ view, posted }: { view: CreditsView; posted: PostedForm | null }) {
  const content = view.content ?? (posted && buildEmptyFormView(posted));
  return (
    <div className="page">
      <header className="flex flex-wrap items-end gap-x-5 gap-y-2 border-line border-b">
        <h1 className="self-center text-title">User Credits</h1>
        <nav aria-label="User Credits" className="flex flex-wrap gap-x-4 max-sm:order-last max-sm:w-full">
          {SUBTABS.map(({ name, label }) => (
            <Link
              key={name}
              to={`/users?view=${name}`}
              className="tab -mb-px"
              aria-current={name === view.name ? "page" : undefined}
            >
              {label}
            </Link>
          ))}
          <Link to="/insights" className="tab -mb-px">
            Insights
          </Link>
        </nav>
        {content?.name === "overview" || posted?.form === "new_user" ? (
          <div className="ml-auto flex items-center gap-2 pb-1.5 max-sm:ml-0 max-sm:w-full">
            <UserSearch search={content?.name === "overview" ? content.search : ""} />
            <May scope="others">
              <NewUser posted={posted?.form === "new_user" ? posted : null} />
            </May>
          </div>
        ) : null}
      </header>
      {view.flash && !posted ? (
        <Notice tone={view.flash.tone} urgent>
          {view.flash.message}
        </Notice>
      ) : null}
      {view.confirming ? <PollUntilDone /> : null}
      {view.signedIn ? null : <LoginNotice purpose="to see balances, purchases and the history." />}
      {view.failure ? (
        <DatabaseNotice
          failure={view.failure}
          title="Credits could not be loaded."
          untilConfigured="Until then no live mail is sent. Tests and reads work."
        />
      ) : null}
      {content ? <Content content={content} posted={posted} /> : null}
    </div>
  );
}

type ContentProps = { content: NonNullable<CreditsView["content"]>; posted: PostedForm | null };

function Content({ content, posted }: ContentProps): ReactNode {
  switch (content.name) {
    case "overview":
      return <Overview view={content} />;
    case "spending":
      return <Spending view={content} />;
    case "purchase":
      return <BuyForm view={content} posted={posted?.form === "purchase" ? posted : null} />;
    case "manage":
      return <Manage view={content} posted={posted?.form === "adjust" ? posted : null} />;
    case "history":
      return <History view={content} />;
  }
}

function UserSearch({ search }: { search: string }) {
  return (
    <Form method="get" action="/users" role="search" key={search} className="min-w-0 grow sm:w-[210px]">
      <input type="hidden" name="view" value="overview" />
      <input
        type="search"
        name="q"
        aria-label="Find a user"
        placeholder="Find a user"
        defaultValue={search}
        maxLength={200}
        className="control"
      />
    </Form>
  );
}

/** Creates a user who does not sign in: a colleague, a machine, a cost centre. */
function NewUser({ posted }: { posted: PostedForm | null }) {
  const { form, readField } = useRefusedForm("new-user", posted);
  return (
    <details className="relative" open={posted !== null}>
      <summary className="button list-none [&::-webkit-details-marker]:hidden">New user</summary>
      <Form
        ref={form}
        noValidate
        method="post"
        action="/users"
        className="absolute right-0 z-10 mt-1 grid w-[280px] gap-3 rounded-[6px] border border-edge bg-surface p-4 shadow-lg"
      >
        <ProblemNotice>{posted?.problem}</ProblemNotice>
        <TextField {...readField("display_name", "Display name")} required maxLength={100} />
        <TextField {...readField("username", "Username")} required maxLength={64} />
        <Submit intent="create_user" working="Creating…" className="button-primary">
          Create user
        </Submit>
      </Form>
    </details>
  );
}
