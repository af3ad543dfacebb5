/** What a heading says of the part below it. */
export const HEADING_TRAITS: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'onward',
    /\b(?:related|recommended|also|more|popular|trending|similar|recent(?:ly)?|latest|next|previous|see also|top stories|featured|customers|viewed|suggested|discover)\b/i,
  ],
  ['comments', /\b(?:comments?|replies|responses|discussion|leave a reply|join the conversation)\b/i],
  ['reviews', /\b(?:reviews?|ratings?|testimonials?|what people say)\b/i],
  [
    'spec',
    /\b(?:description|details?|specifications?|specs|features?|overview|highlights|about|ingredients|dimensions|materials?|in the box)\b/i,
  ],
  ['help', /\b(?:shipping|returns?|delivery|payment|warranty|support|help|contact|customer service)\b/i],
  [
    'site',
    /\b(?:newsletter|subscribe|sign up|follow|connect|categories|archives?|tags|navigation|menu|share|search|filters?|sort|resources|company|legal|cookies?|account)\b/i,
  ],
  ['faq', /\b(?:faqs?|questions|q&a)\b|\?$/i],
];
