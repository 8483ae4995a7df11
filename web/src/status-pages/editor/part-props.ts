import type { FieldErrors } from "../../api/client.ts";
import type { StatusPage } from "../../api/status-pages.ts";
import type { PageDraft } from "./page-draft.ts";

/** What each part of the editor that is saved with the others is given. */
export interface PartProps {
  /** The page as it was when the draft was begun. */
  page: StatusPage;
  draft: PageDraft;
  errors: FieldErrors;
  onChange: (draft: PageDraft) => void;
}

/** What those are given that save by themselves. */
export interface OwnPartProps {
  page: StatusPage;
  onSaved: (page: StatusPage) => void;
}
