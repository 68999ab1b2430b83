import {
  ARTWORK,
  buildPresets,
  fileField,
  filterField,
  getCall,
  idField,
  listCall,
  textField,
} from "../rows";

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
export const FILE_PRESETS = buildPresets("files", [
  listCall("files", FILE, {
    label: "List files",
    description: "Lists the uploaded artwork.",
    filter: filterField(
      "type",
      "Type",
      ["application/pdf", "image/jpeg", "image/png"],
      "Only files of this type.",
    ),
    note: "The closest documented call is GET files/folders.",
  }),
  getCall("files", FILE, {
    label: "Get file",
    description: "Shows the details of one uploaded file.",
    id: { ...ID, placeholder: "335" },
  }),
  {
    label: "Upload file",
    description: "Uploads artwork to the account and returns its ID.",
    method: "POST",
    path: "files/upload",
    example: { id: "342" },
    formFields: [
      fileField("file", "File", ARTWORK, { required: true, description: "Sent as base64." }),
      textField("folder", "Folder ID", {
        placeholder: "41",
        description: "Target folder, from files/folders.",
      }),
    ],
    documented: true,
    note: "Documented are a binary file or a URL. Base64 is documented only for artwork in other calls.",
  },
  {
    label: "Delete file",
    description: "Permanently deletes an uploaded file.",
    method: "POST",
    path: "files/delete/{id}",
    example: true,
    formFields: [ID],
  },
]);
