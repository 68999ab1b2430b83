import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ProfileCard } from "~/people/profile-card";
import { requirePageViewer } from "~/people/viewer.server";

export const meta: MetaFunction = () => [{ title: "Profile · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { displayName, email, picture, subject } = await requirePageViewer(request);
  return { displayName, email, picture, subject };
}

export default function Profile() {
  return <ProfileCard profile={useLoaderData<typeof loader>()} />;
}
