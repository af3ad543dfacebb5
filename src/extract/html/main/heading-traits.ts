/** What a heading says about the part below it. */
export const HEADING_TRAITS: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'onward',
    /\b(?:related|recommended|also|more|popular|trending|similar|recent(?:ly)?|latest|next|previous|see also|top stories|featured|customers|viewed|suggested|discover|auch|mehr|weitere|aktuelle?|beliebt|meistgelesen|neueste|liés|aussi|derniers?|relacionad[ao]s?|más|también|últim[ao]s|correlati|anche|altr[ei]|mais|também|gerelateerd|lees ook|meer|zobacz|czytaj|więcej|podobne)\b|ähnliche|à lire|читайте|похож|ещё|相关|推荐|最新|関連|おすすめ/i,
  ],
  [
    'comments',
    /\b(?:comments?|replies|responses|discussion|leave a reply|join the conversation|kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties|komentarze)\b|комментари|评论|コメント/i,
  ],
  ['reviews', /\b(?:reviews?|ratings?|testimonials?|what people say)\b/i],
  [
    'spec',
    /\b(?:description|details?|specifications?|specs|features?|overview|highlights|about|ingredients|dimensions|materials?|in the box)\b/i,
  ],
  ['help', /\b(?:shipping|returns?|delivery|payment|warranty|support|help|contact|customer service)\b/i],
  [
    'site',
    /\b(?:newsletter|subscribe|sign up|follow|connect|categories|archives?|tags|navigation|menu|share|search|filters?|sort|resources|company|legal|cookies?|account|folgen|teilen|suche|kategorien|schlagw[oö]rter|partager|thèmes|compartir|etiquetas|categorías|categorie|condividi|compartilhar|categorieën|tagi)\b|étiquettes|рубрик|метки|标签|カテゴリ/i,
  ],
  ['faq', /\b(?:faqs?|questions|q&a)\b|\?$/i],
];
