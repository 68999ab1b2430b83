import { idField, listFields, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { Preset } from "../types";

const ID = idField("File ID", "From the response to files/upload.");

const FILE = {
  id: "335",
  name: "spring-front.pdf",
  folder: "41",
  type: "application/pdf",
  size: "482113",
  created: "2026-01-03 09:15:00",
};

/** Artwork kept with the provider. */
export const FILE_PRESETS: readonly Preset[] = [
  {
    id: "files.list",
    categoryId: "files",
    label: "List files",
    description: "Lists the uploaded artwork.",
    method: "GET",
    path: "files/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [FILE] },
    formFields: listFields(
      "type",
      "Type",
      ["application/pdf", "image/jpeg", "image/png"],
      "Only files of this type.",
    ),
    reference: { status: "unlisted", note: "The closest documented call is GET files/folders." },
  },
  {
    id: "files.get",
    categoryId: "files",
    label: "Get file",
    description: "Shows the details of one uploaded file.",
    method: "GET",
    path: "files/get/{id}",
    exampleResponse: { success: true, data: FILE },
    formFields: [{ ...ID, placeholder: "335" }],
    reference: { status: "unlisted" },
  },
  {
    id: "files.upload",
    categoryId: "files",
    label: "Upload file",
    description: "Uploads artwork to the account and returns its ID.",
    method: "POST",
    path: "files/upload",
    docsUrl: REFERENCE_PAGES.files,
    exampleResponse: { success: true, data: { id: "342" } },
    formFields: [
      {
        name: "file",
        label: "File",
        type: "file",
        required: true,
        accept: "application/pdf,image/jpeg,image/png",
        description: "Sent as base64.",
      },
      {
        name: "folder",
        label: "Folder ID",
        type: "text",
        placeholder: "41",
        description: "Target folder, from files/folders.",
      },
    ],
    reference: {
      status: "documented",
      note: "Documented are a binary file or a URL. Base64 is documented only for artwork in other calls.",
    },
  },
  {
    id: "files.delete",
    categoryId: "files",
    label: "Delete file",
    description: "Permanently deletes an uploaded file.",
    method: "POST",
    path: "files/delete/{id}",
    exampleResponse: { success: true, data: true },
    formFields: [ID],
    reference: { status: "unlisted" },
  },
];
