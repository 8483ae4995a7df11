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
  "add subscriber": {
    named: "{who} added a subscriber to the status page {subject}.",
    unnamed: "{who} added a subscriber to a status page.",
  },
  "import subscribers": {
    named: "{who} imported subscribers of the status page {subject}.",
    unnamed: "{who} imported subscribers of a status page.",
  },
  "remove subscriber": {
    named: "{who} removed a subscriber from the status page {subject}.",
    unnamed: "{who} removed a subscriber from a status page.",
  },
  "set page logo": {
    named: "{who} set the logo of the status page {subject}.",
    unnamed: "{who} set the logo of a status page.",
  },
  "remove page logo": {
    named: "{who} removed the logo of the status page {subject}.",
    unnamed: "{who} removed the logo of a status page.",
  },
  "create update template": {
    named: "{who} created the update template {subject}.",
    unnamed: "{who} created an update template.",
  },
  "change update template": {
    named: "{who} changed the update template {subject}.",
    unnamed: "{who} changed an update template.",
  },
  "delete update template": {
    named: "{who} deleted the update template {subject}.",
    unnamed: "{who} deleted an update template.",
  },
  "check custom domain": {
    named: "{who} had the domain of the status page {subject} checked.",
    unnamed: "{who} had the domain of a status page checked.",
  },
};
