import { stemInLanguage } from '#core/words/languages.ts';
import type { Language } from '#core/words/stop-words.ts';

/**
 * Groups of synonyms in documentation. A question with one word also finds the others, at half its value. Words of a
 * single field, such as medicine, do not belong here.
 */
const GROUPS: Partial<Record<Language, string>> = {
  english: `
remove delete erase drop discard clear purge uninstall clean, folder directory, whole entire complete full all,
make create generate build produce, start begin launch open initiate, start boot startup, stop end halt terminate finish quit exit,
stop kill abort cancel interrupt, change modify alter edit adjust update, change replace substitute swap, show display print list output,
show see view, find search locate look, find match, get retrieve fetch obtain read receive, error failure exception problem fault,
fail crash break, wrong invalid incorrect bad illegal malformed, allow permit enable let, allow grant authorize permission,
forbid disallow prevent prohibit deny refuse reject block, avoid prevent, disable deactivate off suppress, enable activate on turn switch,
keep retain preserve hold, save store persist write record, copy duplicate clone replicate, backup dump copy, restore recover, size length,
size large big, maximum max limit most upper greatest, minimum min least lower, empty blank null, fast quick speed performance rapid,
slow delay, disk drive storage filesystem, program application command executable software, option flag parameter argument switch setting,
setting configuration preference, configure set setup, function method routine procedure, row record tuple, column field attribute,
wait block pause sleep, repeat retry, old earlier previous former older, new latest recent newer, run execute invoke call,
check verify validate test ensure confirm, choose select pick, join combine merge concatenate, split divide separate,
increase grow raise enlarge extend, decrease reduce shrink lower, need require must required mandatory necessary, need depend dependency,
type kind sort, number count amount quantity, remember cache memoize, download fetch, undo revert rollback, timeout expire,
exclude ignore skip omit, network remote, default standard normally usually, automatic automatically, manual hand, send transmit submit post,
receive accept, user account, administrator root superuser admin, password secret credential, login log session, logged signed authenticated,
secure safe security, encrypt cipher, hide hidden invisible, lock hold, wait lock, simultaneous concurrent parallel, together concurrently,
order sort, reverse descending backward, upper uppercase capital, lower lowercase, same equal identical, different distinct differ,
unique distinct, duplicate repeated, compare comparison diff difference, text string, letter character, sign symbol character, line row,
part piece portion section, beginning start first, end last final, before earlier prior, after later following,
often frequency frequent interval, time duration period, day daily, date timestamp, seconds second, once single,
permanent permanently persistent forever, temporary temp transient, broken damaged corrupt, repair fix, warn warning, message notice,
notify notification inform, explain describe description, mean meaning stand, name called, rename move, move transfer, path location place,
address url, link reference, link symlink, server host, machine computer system host, install setup, installed installation, upgrade update,
version release, publish release, package module library, import load, export dump, load read, write output, print output,
connect connection, disconnect close, open connection, network internet, listen port, web http, page document, template pattern,
pattern expression glob wildcard, expression regex, rule policy, guess infer detect, guard protect, protect safeguard prevent,
share shared common, own owner, owner ownership, permission right privilege access, reach access, visit request, request query,
answer response reply, ask query request prompt, question prompt, interactive ask prompt, silent quiet, verbose detailed, log journal,
history log, past history, track follow, watch monitor, trace debug, debug diagnose, cause reason, reason why, possible can,
impossible cannot, support supported, unsupported deprecated, deprecated obsolete removed, advantage benefit, drawback disadvantage,
cost expensive, cheap inexpensive, memory ram, space storage room, free release available, reclaim free, use usage, use consume, used employ,
good recommended, recommend advise suggest should, best recommended, dangerous unsafe risk, risk lose loss, lost lose, crash power,
shutdown stop, restart reload, reload refresh, refresh renew, stale outdated, outdated obsolete, nested inside, inside within,
outside external, external foreign, internal inner, without lacking, except exclude, add append insert, append end, insert put, put place,
assign set, value content, contents content, contain include, include contain, convert transform translate, turn convert, format layout,
shape form, round truncate, cut truncate, shorten truncate abbreviate, long length, wide width, tall height, compress zip, extract unpack,
archive tar, image picture, color colour, screen display, keyboard key, key shortcut, press key, window pane, menu item, list array,
dictionary map mapping, map mapping, pair tuple, loop iterate, iterate traverse, each every, group cluster, collect gather, sum total,
average mean, estimate approximate, exact precise, random arbitrary, random randomly, calculate compute, math arithmetic, decimal fraction,
integer whole number, boolean true false, missing absent, exist present, absence missing, optional mandatory, leave left, leave blank,
undefined unset, variable environment, constant fixed, fixed static, dynamic runtime, compile build, source code, code program,
script program, job task, schedule cron, task process, process daemon, background daemon, service daemon, thread worker,
priority nice importance, urgent priority, importance severity, event signal, signal interrupt, handler callback, callback hook,
hook trigger, trigger fire, fire run, transaction commit, commit save, table relation, database schema, relationship relation,
parent ancestor, child descendant, branch head, master main, main primary, upstream remote, origin source, target destination, mirror copy,
replica standby, rotate rotation, expire age, age lifetime, lifetime duration, valid fresh, forever unlimited infinite, unlimited infinity,
bigger larger greater, smaller less, many several, more additional, extra additional, other another, instead alternative,
alternative substitute, override overwrite, overwrite replace, conflict clash, resolve fix, agree accept, accept agree, disagree reject,
author maintainer, maintainer developer, developer programmer, give provide supply, supply provide, offer provide, pass give, take accept,
throw raise, raise exception, catch handle, handle process, treat handle, behave behaviour behavior, behavior behaviour, happen occur,
occur arise, appear show, disappear vanish, translate localize, language locale, country locale, encode encoding, charset encoding,
quote quoting, escape backslash, whitespace space blank, comment remark, note comment, license copyright, legal law
`,
  german: `
entfernen loschen beseitigen deinstallieren, ordner verzeichnis, datei file, ganz komplett vollstandig, erstellen erzeugen anlegen bauen,
starten beginnen, beenden stoppen anhalten abbrechen, andern modifizieren bearbeiten anpassen, ersetzen austauschen,
erneuern aktualisieren upgrade update, anzeigen zeigen ausgeben auflisten, finden suchen, holen herunterladen beziehen, fehler problem,
falsch ungultig, erlauben zulassen gestatten, verbieten verhindern, deaktivieren abschalten ausschalten, aktivieren einschalten,
behalten beibehalten halten, speichern sichern, kopieren duplizieren, grosse lange, maximal hochstens, minimal mindestens,
platte festplatte datentrager, programm anwendung befehl kommando, option schalter parameter, einstellung konfiguration,
einstellen konfigurieren einrichten, system rechner computer, neustart neustarten, warten blockieren, alt fruher, neu aktuell,
ausfuhren laufen aufrufen, prufen uberprufen testen, wahlen auswahlen, verbinden zusammenfuhren, benotigen brauchen erforderlich,
notig notwendig, muss mussen, art typ, anzahl zahl, ignorieren auslassen, netz netzwerk, standard voreinstellung vorgabe,
automatisch selbsttatig, benutzer anwender nutzer, verwalter administrator root, passwort kennwort, sicher sicherheit, verstecken ausblenden,
reihenfolge sortieren, gleich identisch, unterschied verschieden, text zeichenkette, zeichen buchstabe, teil abschnitt, name heissen,
umbenennen verschieben, pfad ort, rechte berechtigung, fragen abfragen, grund warum, moglich konnen, empfehlen sollte, gefahr risiko,
hinzufugen anfugen, umwandeln konvertieren, drucker papier, sprache locale, zeit dauer, paket package, abhangigkeit depends,
gehoren besitzen, quelle source, fassung version, veroffentlichen freigabe release
`,
  french: `
supprimer effacer retirer enlever, dossier repertoire, fichier file, entier complet tout, creer generer, demarrer lancer commencer,
arreter stopper terminer, redemarrer redemarrage relancer, changer modifier editer, remplacer substituer, mettre jour actualiser,
afficher montrer lister, trouver chercher rechercher, obtenir recuperer telecharger, erreur probleme echec, incorrect invalide,
permettre autoriser, interdire empecher refuser, garder conserver, enregistrer stocker sauvegarder, copier dupliquer, taille longueur,
maximum maximal limite, minimum minimal, rapide vitesse performances, disque stockage, programme application commande,
option parametre directive, configuration reglage, regler definir configurer, attendre bloquer, ancien precedent, nouveau recent,
executer appeler, verifier controler, choisir selectionner, joindre combiner fusionner, diviser separer, augmenter accroitre,
diminuer reduire, necessaire obligatoire requis falloir, type genre, nombre quantite, expirer expiration perimer, valable valide frais,
duree temps, ignorer exclure, utilisateur client, motpasse secret, secret securite, cacher masquer, ordre trier, identique meme,
difference different, texte chaine, caractere lettre, partie section, renommer deplacer, chemin emplacement, droit permission,
demander requete, raison pourquoi cause, possible pouvoir, recommander conseiller, danger risque, ajouter inserer, contenir inclure,
convertir transformer, serveur machine hote, page document
`,
  spanish: `
eliminar borrar quitar, carpeta directorio, archivo fichero, crear generar, iniciar empezar arrancar, parar detener terminar,
cambiar modificar editar, reemplazar sustituir, actualizar renovar, mostrar ver listar, encontrar buscar, obtener descargar,
error fallo problema, permitir autorizar, prohibir impedir, desactivar deshabilitar, activar habilitar, guardar almacenar, copiar duplicar,
tamano longitud, maximo limite, programa aplicacion orden comando, opcion parametro, configuracion ajuste, configurar ajustar,
esperar bloquear, anterior antiguo, nuevo reciente, ejecutar llamar, comprobar verificar, elegir seleccionar, unir combinar,
necesario obligatorio requerido, tipo clase, numero cantidad, ignorar excluir, usuario cuenta, contrasena clave, seguro seguridad,
ordenar orden, igual mismo, texto cadena, caracter letra, mover renombrar, permiso derecho, razon motivo, anadir agregar, contener incluir,
convertir transformar
`,
  russian: `
удалить стереть убрать, папка каталог директория, файл file, весь целый полностью, создать сделать построить сборка, начать запустить запуск,
остановить прекратить завершить, изменить менять редактировать править, обновить обновление, показать вывести, найти искать поиск,
получить скачать загрузить, ошибка проблема bug, неправильный неверный, разрешить позволить, запретить нельзя, отключить выключить,
сохранить хранить, поддерживать сопровождать maintain сопровождающий, размер длина, максимум предел, программа приложение команда,
параметр опция ключ, настроить настройка конфигурация, ждать ожидание задержка, старый прежний, выполнить вызвать, проверить проверка,
нужно необходимо требуется обязательно должен, тип вид, число количество, разница отличие, текст строка, знак символ, имя название,
путь место, право разрешение доступ, спросить вопрос, причина почему, можно возможно, рекомендовать советовать следует, сервер машина,
разработчик developer, пакет package, список list, письмо почта mail, загрузка upload, выпуск релиз release, архив archive, отчет сообщение,
взять принять
`,
};

/** @param stem in this language @returns the stems of its synonyms */
export function synonymsOf(stem: string, language: Language): readonly string[] {
  let known = STEMS.get(language);
  if (known === undefined) STEMS.set(language, (known = stemGroups(language)));
  return known.get(stem) ?? [];
}

const STEMS = new Map<Language, ReadonlyMap<string, readonly string[]>>();

function stemGroups(language: Language): ReadonlyMap<string, readonly string[]> {
  const others = new Map<string, Set<string>>();
  for (const line of (GROUPS[language] ?? '').split(',')) {
    const group = line
      .trim()
      .split(/\s+/)
      .map((word) => stemInLanguage(word, language));
    for (const stem of group) others.set(stem, new Set([...(others.get(stem) ?? []), ...group]));
  }
  return new Map([...others].map(([stem, group]) => [stem, [...group].filter((other) => other !== stem)]));
}
