import { draftIncidentUpdate } from "../../page/update/draft-update.ts";
import {
  createUpdateTemplate,
  deleteUpdateTemplate,
  getUpdateTemplate,
  listBuiltInTemplates,
  listUpdateTemplates,
  updateUpdateTemplate,
} from "../../page/update/templates.ts";
import type { DefineBoth } from "../both-families.ts";
import { LONG_TEXTS } from "../long-texts.ts";

const tag = "status-pages";
const collection = { url: "/api/status-pages/templates", tag };
const item = { url: "/api/status-pages/templates/:id", tag };

/** What is prepared for telling visitors of incidents. */
export function describeUpdateTemplates(define: DefineBoth): void {
  define({
    ...collection,
    verb: listUpdateTemplates,
    method: "GET",
    summary: "List update templates",
    description: "The organization's own, oldest first.",
  });
  define({
    ...collection,
    ...LONG_TEXTS,
    verb: createUpdateTemplate,
    method: "POST",
    status: 201,
    summary: "Create an update template",
    description:
      "Markdown with placeholders, in up to three languages. 422 for an unknown placeholder. An organization can have 100.",
    message: "Template created.",
  });
  define({
    url: "/api/status-pages/built-in-templates",
    tag,
    verb: listBuiltInTemplates,
    method: "GET",
    summary: "List the built-in update templates",
    description: "In every language: one for each state of an incident, and one for maintenance.",
  });
  define({
    ...item,
    verb: getUpdateTemplate,
    method: "GET",
    summary: "Get an update template",
    description: "What it is called, and its texts in each language.",
  });
  define({
    ...item,
    ...LONG_TEXTS,
    verb: updateUpdateTemplate,
    method: "PUT",
    summary: "Change an update template",
    description: "Any subset of the fields; what is not sent stays.",
    message: "Template updated.",
  });
  define({
    ...item,
    verb: deleteUpdateTemplate,
    method: "DELETE",
    summary: "Delete an update template",
    description: "Updates that were made from it stay.",
    message: "Template deleted.",
  });
  define({
    url: "/api/incidents/:id/draft-update",
    verb: draftIncidentUpdate,
    method: "POST",
    summary: "Draft an update of an incident",
    description:
      "A text in the languages of the status pages that it is for, made only from what each of these pages shows, and the pages that show what is affected. Publishes and stores nothing: post what you approve as an update. Needs `read:status-pages` too.",
  });
}
