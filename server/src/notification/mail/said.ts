/** A mail in its reader's words, each on one line. */
export interface MailWords {
  subject: string;
  text: string;
  /** What its link is called. */
  action: string | null;
  ending: string | null;
  footer: string | null;
}

/** What a mail says. `html`: its text as HTML that is safe already, where it is more than lines. */
export interface Said extends MailWords {
  /** Above the text. Absent: the text says by itself what it is about. */
  heading?: string;
  /** Below the text, a line each: names, and where each leads. */
  links?: readonly { label: string; url: string }[];
  html?: string | null;
}
