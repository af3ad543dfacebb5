import type { ActionLexicon } from './lexicon.ts';

const FRENCH: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'acheter, achetez, achète, finaliser l achat, confirmer l achat, valider l achat, enchérir, vendre',
    pay: 'payer, payez, paye, régler, effectuer le paiement, valider le paiement, confirmer le paiement, faire un don, donner maintenant, rembourser',
    order:
      'commander, commandez, passer commande, passer la commande, passer ma commande, valider la commande, valider ma commande, confirmer la commande, finaliser la commande, finaliser ma commande, s abonner, abonnez, souscrire, renouveler',
    book: 'réserver, réservez, réserve, confirmer la réservation, valider la réservation, prendre rendez vous, louer',
    send: 'envoyer, envoyez, envoie, expédier, transmettre, soumettre, postuler',
    publish: 'publier, publiez, poster, postez, mettre en ligne, voter, commenter',
    delete:
      'supprimer, supprimez, supprime, effacer, retirer, enlever, détruire, vider la corbeille, révoquer, désinstaller, désactiver, fermer le compte, clôturer, abandonner le brouillon, bloquer',
    cancel:
      'résilier, résiliez, se désabonner, désabonner, annuler la commande, annuler ma commande, annuler la réservation, annuler ma réservation, annuler l abonnement, annuler mon abonnement, annuler le rendez vous, mettre fin, se désinscrire',
    transfer:
      'virer, transférer, effectuer le virement, effectuer un virement, valider le virement, confirmer le virement, faire un virement, retirer de l argent, verser',
    accept:
      'accepter, acceptez, accepte, j accepte, consentir, signer, approuver les conditions, accepter et continuer, confirmer',
    grant: 'autoriser, autorisez, permettre, accorder, donner accès, approuver, inviter, donner l accès',
  },
  harmless:
    'accepter les cookies, accepter tous les cookies, autoriser les cookies, supprimer le filtre, supprimer les filtres, effacer les filtres, effacer la recherche, retirer des favoris, retirer le filtre, retirer du panier, supprimer du panier, retirer de la comparaison, retirer du comparateur, confirmer la sélection, confirmer mes choix, mot de passe, retirer en magasin',
  confirms: 'oui, ok, confirmer, valider, terminer, appliquer, d accord, accepter, autoriser, finaliser',
  continues: 'continuer, suivant, poursuivre, compris',
  nouns: {
    pay: 'paiement, montant, total à payer',
    order: 'commande, achat',
    book: 'réservation',
    transfer: 'virement, transfert',
    publish: 'commentaire, publication, avis, réponse',
    send: 'message',
    delete: 'suppression, définitivement, irréversible',
    cancel: 'résiliation, annulation',
    grant: 'accès, autorisation, autorisations',
  },
  replies: 'répondre, commenter, partager, enregistrer, ajouter, créer',
  aside:
    'afficher, masquer, retour, annuler, fermer, oublié, modifier, changer, aide, plus, effacer, ajouter, renvoyer, passer, choisir, copier, précédent',
  messages: 'message, réponse, commentaire',
  cookies: 'cookie, cookies, traceurs',
  ordinary:
    'rechercher, chercher, trouver, filtrer, appliquer les filtres, trier, afficher, ajouter au panier, mettre à jour le panier, actualiser le panier, vérifier la disponibilité, aperçu',
};

const SPANISH: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'comprar, compra ahora, compre, compra ya, finalizar compra, finalizar la compra, confirmar compra, completar compra, adquirir, pujar, vender',
    pay: 'pagar, paga, pague, realizar pago, realizar el pago, confirmar pago, confirmar el pago, donar, dona, reembolsar, recargar',
    order:
      'pedir, ordenar ahora, realizar pedido, realizar el pedido, hacer pedido, hacer el pedido, confirmar pedido, confirmar el pedido, enviar pedido, suscribirse, suscribirme, suscríbete, contratar, renovar',
    book: 'reservar, reserva ahora, reserve, confirmar reserva, confirmar la reserva, pedir cita, alquilar',
    send: 'enviar, envía, envíe, envíar, remitir, mandar, presentar solicitud, postular',
    publish: 'publicar, publica, publique, postear, votar, comentar',
    delete:
      'eliminar, elimina, elimine, borrar, borra, borre, quitar, suprimir, descartar, vaciar papelera, vaciar la papelera, revocar, desinstalar, desactivar, cerrar cuenta, cerrar la cuenta, bloquear, dar de baja',
    cancel:
      'cancelar suscripción, cancelar la suscripción, cancelar mi suscripción, cancelar pedido, cancelar el pedido, cancelar reserva, cancelar la reserva, cancelar cita, cancelar plan, cancelar membresía, anular, darse de baja, darme de baja, cancelar cuenta',
    transfer:
      'transferir, transfiere, transfiera, hacer transferencia, realizar transferencia, confirmar transferencia, retirar dinero, retirar fondos, depositar, enviar dinero',
    accept: 'aceptar, acepto, acepta, acepte, consentir, firmar, estoy de acuerdo, confirmar',
    grant: 'permitir, permite, autorizar, autoriza, conceder, otorgar, dar acceso, aprobar, invitar',
  },
  harmless:
    'aceptar cookies, aceptar las cookies, aceptar todas las cookies, permitir cookies, permitir todas las cookies, borrar filtros, quitar filtro, eliminar filtro, eliminar filtros, quitar formato, borrar búsqueda, lista de compra, quitar de la comparación, quitar del carrito, eliminar del carrito, quitar de favoritos, confirmar selección, cómo comprar, código postal',
  confirms: 'sí, si, ok, confirmar, aceptar, finalizar, aplicar, de acuerdo, terminar, hecho, permitir',
  continues: 'continuar, siguiente, seguir, entendido',
  nouns: {
    pay: 'pago, importe, total a pagar',
    order: 'pedido, compra',
    book: 'reserva',
    transfer: 'transferencia',
    publish: 'comentario, publicación, reseña, respuesta',
    send: 'mensaje',
    delete: 'eliminación, permanentemente, definitivamente, deshacer',
    cancel: 'cancelación',
    grant: 'acceso, permiso, permisos',
  },
  replies: 'responder, comentar, compartir, guardar, añadir, crear, contestar',
  aside:
    'mostrar, ocultar, volver, atrás, cancelar, cerrar, olvidé, olvidaste, editar, cambiar, ayuda, más, limpiar, añadir, reenviar, omitir, elegir, copiar, anterior',
  messages: 'mensaje, respuesta, comentario',
  cookies: 'cookie, cookies',
  ordinary:
    'buscar, encontrar, filtrar, aplicar filtros, mostrar, añadir al carrito, agregar al carrito, añadir a la cesta, actualizar carrito, comprobar disponibilidad, vista previa',
};

const ITALIAN: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'acquista, acquistare, compra, comprare, compra ora, completa acquisto, completa l acquisto, conferma acquisto, fai un offerta, vendi, vendere',
    pay: 'paga, pagare, effettua pagamento, effettua il pagamento, conferma pagamento, conferma il pagamento, dona, donare, rimborsa, ricarica',
    order:
      'ordina, ordinare, effettua ordine, effettua l ordine, invia ordine, invia l ordine, conferma ordine, conferma l ordine, completa ordine, completa l ordine, abbonati, iscriviti, sottoscrivi, rinnova',
    book: 'prenota, prenotare, conferma prenotazione, conferma la prenotazione, noleggia',
    send: 'invia, inviare, spedisci, spedire, manda, inoltra ora, candidati',
    publish: 'pubblica, pubblicare, posta ora, vota, commenta',
    delete:
      'elimina, eliminare, cancella, cancellare, rimuovi, rimuovere, togli, svuota cestino, svuota il cestino, revoca, disinstalla, disattiva, chiudi account, scarta, blocca',
    cancel:
      'disdici, annulla abbonamento, annulla l abbonamento, annulla ordine, annulla l ordine, annulla prenotazione, annulla la prenotazione, annulla iscrizione, disiscriviti, recedi, annulla appuntamento',
    transfer:
      'trasferisci, trasferire, bonifico ora, effettua bonifico, effettua il bonifico, conferma bonifico, conferma il bonifico, preleva, versa, invia denaro',
    accept: 'accetta, accetto, accettare, acconsento, acconsenti, firma, sono d accordo, conferma',
    grant: 'consenti, consentire, autorizza, autorizzare, concedi, concedere, dai accesso, approva, invita, permetti',
  },
  harmless:
    'accetta cookie, accetta i cookie, accetta tutti i cookie, accetta tutti, consenti cookie, cancella filtri, rimuovi filtro, rimuovi filtri, elimina filtri, cancella ricerca, rimuovi dal carrello, rimuovi dal confronto, rimuovi dai preferiti, ordina per, posta inviata, posta in arrivo, posta elettronica, conferma selezione, conferma le mie scelte, lista della spesa',
  confirms: 'sì, si, ok, conferma, fine, applica, completa, termina, accetta, consenti, fatto',
  continues: 'continua, avanti, prosegui, ho capito',
  nouns: {
    pay: 'pagamento, importo, totale da pagare',
    order: 'ordine, acquisto',
    book: 'prenotazione',
    transfer: 'bonifico, trasferimento',
    publish: 'commento, post, recensione, risposta',
    send: 'messaggio',
    delete: 'eliminazione, definitivamente, permanente, irreversibile',
    cancel: 'annullamento, disdetta',
    grant: 'accesso, autorizzazione, permessi',
  },
  replies: 'rispondi, commenta, condividi, salva, aggiungi, crea',
  aside:
    'mostra, nascondi, indietro, annulla, chiudi, dimenticato, dimenticata, modifica, cambia, aiuto, altro, aggiungi, invia di nuovo, salta, scegli, copia',
  messages: 'messaggio, risposta, commento',
  cookies: 'cookie',
  ordinary:
    'cerca, trova, filtra, applica filtri, mostra, aggiungi al carrello, aggiorna carrello, verifica disponibilità, anteprima',
};

const PORTUGUESE: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'comprar, compre, compra agora, finalizar compra, finalizar a compra, concluir compra, confirmar compra, adquirir, dar lance, vender',
    pay: 'pagar, pague, efetuar pagamento, efetuar o pagamento, realizar pagamento, confirmar pagamento, confirmar o pagamento, doar, doe, reembolsar, recarregar',
    order:
      'encomendar, pedir agora, fazer pedido, finalizar pedido, concluir pedido, confirmar pedido, enviar pedido, assinar, assine, contratar, renovar, subscrever',
    book: 'reservar, reserve, confirmar reserva, concluir reserva, agendar, alugar, marcar consulta',
    send: 'enviar, envie, mandar, submeter, candidatar',
    publish: 'publicar, publique, postar, poste, votar, comentar',
    delete:
      'excluir, exclua, apagar, apague, eliminar, remover, remova, deletar, descartar, esvaziar lixeira, esvaziar a lixeira, revogar, desinstalar, desativar, encerrar conta, fechar conta, bloquear',
    cancel:
      'cancelar assinatura, cancelar a assinatura, cancelar minha assinatura, cancelar pedido, cancelar o pedido, cancelar reserva, cancelar a reserva, cancelar consulta, cancelar plano, cancelar inscrição, cancelar subscrição, anular, descadastrar',
    transfer:
      'transferir, transfira, fazer transferência, realizar transferência, confirmar transferência, fazer pix, enviar pix, sacar, depositar, enviar dinheiro, levantar dinheiro',
    accept: 'aceitar, aceito, aceite, concordo, concordar, consentir, assinar documento, confirmar',
    grant: 'permitir, permita, autorizar, autorize, conceder, dar acesso, aprovar, convidar',
  },
  harmless:
    'aceitar cookies, aceitar os cookies, aceitar todos os cookies, permitir cookies, limpar filtros, remover filtro, remover filtros, apagar filtros, limpar busca, remover do carrinho, remover da comparação, remover dos favoritos, confirmar seleção, código postal, lista de compras',
  confirms: 'sim, ok, confirmar, finalizar, aplicar, concluir, pronto, aceitar, permitir',
  continues: 'continuar, avançar, próximo, seguinte, entendi, prosseguir',
  nouns: {
    pay: 'pagamento, valor, total a pagar',
    order: 'pedido, compra, encomenda',
    book: 'reserva',
    transfer: 'transferência, pix',
    publish: 'comentário, publicação, avaliação, resposta',
    send: 'mensagem',
    delete: 'exclusão, permanentemente, definitivamente, desfeita',
    cancel: 'cancelamento',
    grant: 'acesso, permissão, permissões',
  },
  replies: 'responder, comentar, compartilhar, partilhar, salvar, guardar, adicionar, criar',
  aside:
    'mostrar, ocultar, voltar, cancelar, fechar, esqueci, esqueceu, editar, alterar, ajuda, mais, limpar, adicionar, reenviar, pular, escolher, copiar',
  messages: 'mensagem, resposta, comentário',
  cookies: 'cookie, cookies',
  ordinary:
    'buscar, pesquisar, procurar, encontrar, filtrar, aplicar filtros, mostrar, adicionar ao carrinho, atualizar carrinho, verificar disponibilidade, pré visualizar',
};

export const ROMANCE_LANGUAGES = { FRENCH, SPANISH, ITALIAN, PORTUGUESE };
