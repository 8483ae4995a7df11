/** What is recorded of incidents (audit-actions.ts). */
export const INCIDENT_SENTENCES = {
  "create incidents": {
    named: "{who} reported the incident {subject}.",
    unnamed: "{who} reported an incident.",
  },
  "update incidents": {
    named: "{who} changed the incident {subject}.",
    unnamed: "{who} changed an incident.",
  },
  "delete incidents": {
    named: "{who} deleted the incident {subject}.",
    unnamed: "{who} deleted an incident.",
  },
  "acknowledge incidents": {
    named: "{who} acknowledged the incident {subject}.",
    unnamed: "{who} acknowledged an incident.",
  },
  "reopen incidents": {
    named: "{who} reopened the incident {subject}.",
    unnamed: "{who} reopened an incident.",
  },
  "assign incidents": {
    named: "{who} assigned the incident {subject}.",
    unnamed: "{who} assigned an incident.",
  },
  "split incidents": {
    named: "{who} separated monitors from the incident {subject}.",
    unnamed: "{who} separated the monitors of an incident.",
  },
  "merge incidents": {
    named: "{who} merged the incident {subject} into another.",
    unnamed: "{who} merged two incidents.",
  },
  "write postmortem": {
    named: "{who} wrote the postmortem of the incident {subject}.",
    unnamed: "{who} wrote a postmortem.",
  },
  "add incident update": {
    named: "{who} posted an update of the incident {subject}.",
    unnamed: "{who} posted an update of an incident.",
  },
  "edit incident update": {
    named: "{who} edited an update of the incident {subject}.",
    unnamed: "{who} edited an update of an incident.",
  },
  "delete incident update": {
    named: "{who} deleted an update of the incident {subject}.",
    unnamed: "{who} deleted an update of an incident.",
  },
  "add incident comment": {
    named: "{who} commented on the incident {subject}.",
    unnamed: "{who} commented on an incident.",
  },
  "edit incident comment": {
    named: "{who} edited a comment on the incident {subject}.",
    unnamed: "{who} edited a comment on an incident.",
  },
  "delete incident comment": {
    named: "{who} deleted a comment on the incident {subject}.",
    unnamed: "{who} deleted a comment on an incident.",
  },
} as const;
