/** What is recorded of status pages (audit-actions.ts). */
export const PAGE_SENTENCES = {
  "create status-pages": {
    named: "{who} created the status page {subject}.",
    unnamed: "{who} created a status page.",
  },
  "update status-pages": {
    named: "{who} changed the status page {subject}.",
    unnamed: "{who} changed a status page.",
  },
  "delete status-pages": {
    named: "{who} deleted the status page {subject}.",
    unnamed: "{who} deleted a status page.",
  },
  "arrange page": {
    named: "{who} arranged the status page {subject}.",
    unnamed: "{who} arranged a status page.",
  },
  "add page component": {
    named: "{who} added a component to the status page {subject}.",
    unnamed: "{who} added a component to a status page.",
  },
  "change page component": {
    named: "{who} changed a component of the status page {subject}.",
    unnamed: "{who} changed a component of a status page.",
  },
  "remove page component": {
    named: "{who} removed a component from the status page {subject}.",
    unnamed: "{who} removed a component from a status page.",
  },
};
