/** Why what is set of status pages is refused, in English (see ../en.ts for the slots). */
export const pages = {
  "page.slug": "A slug has 3 to 64 characters: a to z, 0 to 9 and hyphens.",
  "page.slug_reserved": "The slug {slug} is reserved. Choose another one.",
  "page.slug_taken": "The slug {slug} is taken. Choose another one.",
  "page.no_monitor": "There is nothing of this kind with the id {id}.",
  "page.linked": "It is on this page already.",
  "page.name_needed":
    "The name of this monitor tells what is checked. Choose the name that visitors are to see.",
  "page.no_group": "This page has no group {id}.",
  "page.no_component": "This page has no component {id}.",
  "page.component_twice": "The component {id} is named twice.",
  "page.group_twice": "The group {id} is named twice.",
  "page.many_components": "A status page can have {limit} components.",
  "page.many": "An organization can have {limit} status pages.",
} as const;
