import { PAGE_FIELDS, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID: FormField = {
  name: "id",
  label: "File ID",
  type: "text",
  required: true,
  description: "As the answer to files/upload has it.",
};

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
    description: "Lists the artwork that was uploaded to the account.",
    method: "GET",
    path: "files/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [FILE] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "type",
        label: "Type",
        type: "select",
        options: ["application/pdf", "image/jpeg", "image/png"],
        description: "Only files of this kind.",
      },
    ],
    reference: { status: "unlisted", note: "Documented is the list of folders, GET files/folders." },
  },
  {
    id: "files.get",
    categoryId: "files",
    label: "Get file",
    description: "Reads what is known of one uploaded file.",
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
    description: "Puts a piece of artwork into the account and answers its ID.",
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
        description: "Goes out as base64 text.",
      },
      {
        name: "folder",
        label: "Folder ID",
        type: "text",
        placeholder: "41",
        description: "Where to put it; the provider lists folders under files/folders.",
      },
    ],
    reference: {
      status: "documented",
      note: "For this call the reference speaks of a binary file or an address to fetch it from; base64 it names for artwork elsewhere.",
    },
  },
  {
    id: "files.delete",
    categoryId: "files",
    label: "Delete file",
    description: "Removes an uploaded file from the account for good.",
    method: "POST",
    path: "files/delete/{id}",
    exampleResponse: { success: true, data: true },
    formFields: [ID],
    reference: { status: "unlisted" },
  },
];
