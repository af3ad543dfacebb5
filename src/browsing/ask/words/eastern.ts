import type { ActionLexicon } from './lexicon.ts';

const KOREAN: ActionLexicon = {
  by: 'characters',
  acts: {
    buy: '구매, 구입, 입찰, 판매하기',
    pay: '결제, 지불, 납부, 후원하기, 기부, 충전하기, 환불',
    order: '주문, 신청하기, 구독하기, 정기구독, 가입하기, 갱신하기',
    book: '예약, 예매, 대여하기',
    send: '보내기, 보내다, 전송, 발송, 제출, 지원하기, 답장 보내기',
    publish: '게시하기, 게시, 등록하기, 발행, 올리기, 댓글 달기, 투표하기, 공개하기, 작성 완료',
    delete: '삭제, 지우기, 제거, 비우기, 폐기, 탈퇴, 계정 비활성화, 차단하기, 해제하기, 초기화하기, 휴지통으로',
    cancel:
      '주문 취소, 주문취소, 예약 취소, 예약취소, 구독 취소, 구독취소, 구독 해지, 해지, 결제 취소, 취소하기, 취소 신청, 수신 거부, 수신거부',
    transfer: '송금, 이체, 출금, 입금하기, 인출',
    accept: '동의, 수락, 승낙, 서명, 승인',
    grant: '허용, 권한 부여, 초대하기, 승인, 허가',
  },
  harmless:
    '주문 내역, 주문내역, 주문 조회, 주문조회, 주문 상태, 주문 상세, 나의 주문, 주문 목록, 주문번호, 구매 내역, 구매내역, 구매 후기, 결제 내역, 결제내역, 결제 수단, 결제수단, 결제 방법, 예약 내역, 예약내역, 예약 조회, 예약 확인, 보낸 메일, 전송됨, 게시판, 게시글 목록, 게시물 보기, 게시일, 송금 내역, 이체 내역, 거래내역, 환불 정책, 환불 규정, 필터 삭제, 필터 제거, 검색어 삭제, 검색어 지우기, 비교에서 삭제, 찜 삭제, 쿠키 허용, 모든 쿠키 허용, 쿠키 동의, 쿠키에 동의, 삭제된, 휴지통, 내보내기, 게시물, 게시글, 발행일, 허용량, 동의어, 운동의, 활동의, 노동의, 행동의, 자동의, 이동의, 아동의, 공동의, 변동의, 부서명, 도서명, 국제거래',
  confirms: '확인, 예, 네, 완료, 적용, 확정, 제출',
  continues: '계속, 다음, 알겠습니다',
  nouns: {
    delete: '되돌릴 수 없, 복구할 수 없, 영구',
    pay: '결제 금액, 총 금액',
    order: '주문 금액',
    grant: '접근 권한, 권한',
  },
  replies: '답글, 댓글, 답변, 저장, 공유, 등록',
  aside: '보기, 숨기기, 뒤로, 취소, 닫기, 찾기, 수정, 변경, 도움말, 더보기, 추가, 건너뛰기, 선택, 복사',
  messages: '메시지, 답글, 댓글',
  cookies: '쿠키, cookie',
  ordinary: '검색, 필터 적용, 정렬, 장바구니, 조회',
};

const ARABIC: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'اشتر, اشتري, شراء, اشتر الآن, إتمام الشراء, تأكيد الشراء, قدم عرضا, بيع',
    pay: 'ادفع, دفع, سدد, سداد, إتمام الدفع, تأكيد الدفع, تبرع, تبرع الآن, استرداد, شحن الرصيد',
    order: 'اطلب, إتمام الطلب, تأكيد الطلب, إرسال الطلب, تقديم الطلب, اشترك, اشتراك, تجديد',
    book: 'احجز, حجز, تأكيد الحجز, إتمام الحجز, استأجر',
    send: 'أرسل, إرسال, ارسال, تقديم, قدم الآن, بعث',
    publish: 'نشر, انشر, تعليق, أضف تعليقا, تصويت, صوت الآن, صوت لصالح',
    delete:
      'حذف, احذف, إزالة, ازالة, أزل, مسح, امسح, إفراغ سلة المهملات, تعطيل الحساب, إغلاق الحساب, إلغاء التثبيت, حظر, إلغاء الوصول',
    cancel:
      'إلغاء الطلب, إلغاء الاشتراك, إلغاء الحجز, إلغاء الموعد, إلغاء الرحلة, إلغاء الدفع, إنهاء الاشتراك, الغاء الطلب, الغاء الاشتراك, الغاء الحجز',
    transfer: 'تحويل, حول الآن, حول المال, حول الأموال, تحويل الأموال, إرسال الأموال, تأكيد التحويل, سحب الأموال, إيداع',
    accept: 'موافق, أوافق, اوافق, قبول, أقبل, اقبل, توقيع, وقع الآن, وقع المستند, وقع العقد, تأكيد, أؤكد',
    grant: 'السماح, اسمح, منح, امنح, تفويض, دعوة, ادع, الموافقة',
  },
  harmless:
    'قبول ملفات تعريف الارتباط, قبول جميع ملفات تعريف الارتباط, قبول الكوكيز, السماح بملفات تعريف الارتباط, مسح المرشحات, مسح التصفية, مسح البحث, حذف المرشح, إزالة المرشح, إزالة من المقارنة, إزالة من المفضلة, مسح الكل, طرق الدفع, سجل الدفع, تأكيد الاختيار',
  confirms: 'نعم, حسنا, تأكيد, موافق, إنهاء, تطبيق, تم',
  continues: 'متابعة, التالي, استمرار, فهمت',
  nouns: {
    pay: 'المبلغ, الدفع',
    order: 'الطلب',
    book: 'الحجز',
    transfer: 'التحويل',
    delete: 'الحذف, نهائيا',
    cancel: 'الإلغاء',
    grant: 'الوصول, إذن',
  },
  replies: 'رد, حفظ, مشاركة, إضافة, إنشاء',
  aside: 'عرض, إخفاء, رجوع, إلغاء, إغلاق, نسيت, تعديل, تغيير, مساعدة, المزيد, إضافة, تخطي, اختيار, نسخ',
  messages: 'رسالة, رد, تعليق',
  cookies: 'الكوكيز, تعريف الارتباط, cookies',
  ordinary: 'بحث, ابحث, تصفية, تطبيق المرشحات, ترتيب, أضف إلى السلة, إضافة إلى السلة',
};

const TURKISH: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'satın al, hemen al, şimdi al, alışverişi tamamla, teklif ver, hemen sat, şimdi sat, ürünü sat, satışı onayla',
    pay: 'öde, ödeme yap, ödemeyi tamamla, ödemeyi onayla, bağış yap, bağışla, iade et, yükle ve öde',
    order:
      'sipariş ver, siparişi tamamla, siparişi onayla, siparişi gönder, sipariş et, abone ol, aboneliği başlat, yenile ve öde',
    book: 'rezervasyon yap, rezervasyonu yap, rezerve et, rezervasyonu onayla, yer ayırt, randevu al, kirala',
    send: 'gönder, yolla, ilet ve gönder, başvur, başvuruyu gönder',
    publish: 'yayınla, yayımla, paylaş, yorum yap, oy ver, gönderiyi paylaş',
    delete:
      'sil, kaldır, temizle ve sil, çöpe at, çöpü boşalt, iptal et ve sil, hesabı kapat, hesabı sil, devre dışı bırak, engelle, geri al ve sil',
    cancel:
      'iptal et, siparişi iptal et, aboneliği iptal et, rezervasyonu iptal et, randevuyu iptal et, abonelikten çık, aboneliği sonlandır',
    transfer: 'havale yap, transfer et, para gönder, transferi onayla, para çek, para yatır, eft yap, aktar',
    accept: 'kabul et, kabul ediyorum, onayla, onaylıyorum, imzala, katılıyorum',
    grant: 'izin ver, yetki ver, erişim ver, yetkilendir, davet et',
  },
  harmless:
    'çerezleri kabul et, tüm çerezleri kabul et, çerezlere izin ver, filtreyi kaldır, filtreleri kaldır, filtreyi sil, filtreleri sil, karşılaştırmadan kaldır, favorilerden kaldır, seçimi onayla',
  confirms: 'evet, tamam, onayla, tamamla, uygula, bitir',
  continues: 'devam, devam et, ileri, anladım, sonraki',
  nouns: {
    pay: 'ödeme, tutar',
    order: 'sipariş',
    book: 'rezervasyon',
    transfer: 'havale, transfer',
    delete: 'silinecek, kalıcı',
    grant: 'erişim, izin',
  },
  replies: 'yanıtla, yorum, kaydet, ekle, oluştur, cevapla',
  aside:
    'göster, gizle, geri, iptal, vazgeç, kapat, unuttum, düzenle, değiştir, yardım, daha, temizle, ekle, atla, seç, kopyala',
  messages: 'mesaj, yanıt, yorum',
  cookies: 'çerez, çerezler, çerezleri, cookie',
  ordinary: 'ara, filtrele, filtreleri uygula, sırala, göster, sepete ekle, sepeti güncelle',
};

const HINDI: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'खरीदें, खरीदे, अभी खरीदें, बोली लगाएं, बेचें',
    pay: 'भुगतान करें, भुगतान, पे करें, दान करें, रिचार्ज करें',
    order: 'ऑर्डर करें, ऑर्डर दें, ऑर्डर की पुष्टि करें, सदस्यता लें, नवीनीकृत करें',
    book: 'बुक करें, आरक्षित करें, बुकिंग की पुष्टि करें',
    send: 'भेजें, भेजे, जमा करें, सबमिट करें, आवेदन करें',
    publish: 'प्रकाशित करें, पोस्ट करें, टिप्पणी करें, मतदान करें',
    delete: 'हटाएं, हटाएँ, हटा दें, मिटाएं, डिलीट करें, खाता बंद करें, निष्क्रिय करें, ब्लॉक करें',
    cancel: 'ऑर्डर रद्द करें, सदस्यता रद्द करें, बुकिंग रद्द करें, सदस्यता समाप्त करें',
    transfer: 'ट्रांसफर करें, पैसे भेजें, निकालें, जमा राशि',
    accept: 'स्वीकार करें, सहमत, सहमत हूं, मैं सहमत हूं, हस्ताक्षर करें, पुष्टि करें',
    grant: 'अनुमति दें, अधिकृत करें, आमंत्रित करें, एक्सेस दें',
  },
  harmless:
    'भेजे गए, कुकी स्वीकार करें, कुकीज़ स्वीकार करें, सभी कुकीज़ स्वीकार करें, फ़िल्टर हटाएं, फिल्टर हटाएं, भुगतान विकल्प, भुगतान के तरीके, भुगतान इतिहास',
  confirms: 'हां, हाँ, ठीक, पुष्टि करें, लागू करें, पूर्ण',
  continues: 'जारी रखें, अगला, आगे',
  nouns: { pay: 'भुगतान, राशि', order: 'ऑर्डर', book: 'बुकिंग', delete: 'स्थायी रूप से', grant: 'अनुमति' },
  replies: 'जवाब दें, सहेजें, साझा करें, जोड़ें, बनाएं',
  aside: 'दिखाएं, छिपाएं, वापस, रद्द करें, बंद करें, संपादित करें, बदलें, सहायता, अधिक, जोड़ें, छोड़ें, चुनें',
  messages: 'संदेश, उत्तर, टिप्पणी',
  cookies: 'कुकी, कुकीज़, cookie',
  ordinary: 'खोजें, फ़िल्टर लागू करें, कार्ट में जोड़ें, दिखाएं',
};

const JAPANESE: ActionLexicon = {
  by: 'characters',
  acts: {
    buy: '購入, 買う, 入札, ポチる, 売却, 売る',
    pay: '支払う, 支払い, お支払, 決済, 寄付, チャージ, 返金',
    order: '注文, 申し込む, 申込む, お申し込み, 定期購入, 契約',
    book: '予約, 申込を確定',
    send: '送信, 送る, 応募する, 提出する, 返信する',
    publish: '投稿, 公開する, 公開, 掲載, コメントする, 投票',
    delete: '削除, 消去, 取り除く, 破棄, ゴミ箱, 退会, アカウントを閉じる, 無効化, 取り消す, 除名, 解除',
    cancel: '解約, 購読を停止, 購読をやめる, キャンセルする, 予約をキャンセル, 注文をキャンセル, 配信停止, 退会',
    transfer: '振込, 振り込む, 振り込み, 送金, 出金, 引き出す, 入金',
    accept: '同意, 承諾, 承認, 署名, 受諾',
    grant: '許可, 承認, 権限を付与, アクセスを与える, 招待, 認可',
  },
  harmless:
    '注文履歴, 購入履歴, ご注文履歴, 注文一覧, 注文状況, 注文の詳細, 予約の詳細, 購入の詳細, 買い物, 予約履歴, 予約状況, 予約一覧, 送信済み, 送信済, 送信トレイ, 新着投稿, 投稿一覧, 投稿日, 公開日, 支払い方法, お支払い方法, 支払い履歴, 送金履歴, 振込履歴, 比較から削除, お気に入りから削除, カートから削除, フィルターを解除, フィルターを削除, 絞り込みを解除, 選択を解除, 選択解除, クッキーを許可, クッキーに同意, クッキーを受け入れ, 未読にする',
  confirms: 'はい, OK, 確認, 確定, 完了, 実行, 適用, 決定, 同意する, 許可',
  continues: '続ける, 続行, 次へ, 了解',
  nouns: { delete: '元に戻せません, 完全に', grant: 'アクセス権', pay: 'お支払い金額, 合計金額' },
  replies: '返信, コメント, 回答, 保存, 共有, 作成',
  aside: '表示, 非表示, 戻る, キャンセル, 閉じる, 忘れた, 編集, 変更, ヘルプ, 追加, スキップ, 選択, コピー',
  messages: 'メッセージ, 返信, コメント',
  cookies: 'cookie, クッキー',
  ordinary: '検索, 検索する, 絞り込む, 並べ替え, 表示, カートに入れる, カートに追加, カートを更新',
};

const CHINESE: ActionLexicon = {
  by: 'characters',
  acts: {
    buy: '购买, 買, 购入, 卖出, 出售, 賣出, 立即抢购, 抢购, 下单, 出价, 購買',
    pay: '支付, 付款, 结算并支付, 捐款, 捐赠, 打赏, 充值, 退款',
    order: '提交订单, 确认订单, 确认下单, 订购, 订阅, 开通, 续费, 提交訂單, 訂購',
    book: '预订, 预定, 预约, 立即预订, 預訂, 預約, 租用',
    send: '发送, 寄出, 投递, 申请职位, 提交申请, 發送, 傳送',
    publish: '发布, 发表, 发帖, 公开, 投票, 評論, 發布, 發表, 上线',
    delete: '删除, 移除, 清空, 销毁, 注销, 撤销授权, 卸载, 停用, 刪除, 丢弃, 拉黑, 封禁, 踢出',
    cancel: '取消订阅, 取消订单, 取消预订, 取消预约, 取消会员, 取消续费, 退订, 解约, 取消訂閱, 取消訂單, 终止合同',
    transfer: '转账, 汇款, 提现, 转出, 转入, 存入, 轉帳, 打款',
    accept: '同意, 接受, 签署, 签名, 簽署',
    grant: '授权, 允许, 批准, 赋予, 邀请, 授予, 授權, 允許, 添加成员',
  },
  harmless:
    '订单记录, 我的订单, 购买记录, 支付方式, 付款方式, 支付记录, 转账记录, 发布时间, 发布日期, 最新发布, 预订记录, 预订详情, 订单详情, 支付详情, 购买须知, 移出对比, 从对比中删除, 取消收藏, 删除筛选, 移除筛选, 清空筛选, 清空搜索, 接受所有 cookie, 接受 cookie, 接受cookie, 接受所有cookie, 允许 cookie, 同意使用 cookie, 已发送, 草稿箱, 订阅号, 我的订阅, 公开课',
  confirms: '确定, 确认, 是, 好的, 好, 完成, 提交, 应用, 同意, 允许, 確定, 確認',
  continues: '继续, 下一步, 我知道了, 繼續',
  nouns: { order: '订单', delete: '不可恢复, 无法恢复, 永久', grant: '访问权限, 权限', pay: '金额, 应付' },
  replies: '回复, 评论, 回答, 保存, 分享, 创建, 提交',
  aside: '显示, 隐藏, 返回, 取消, 关闭, 忘记, 编辑, 修改, 帮助, 添加, 跳过, 选择, 复制',
  messages: '消息, 回复, 评论, 私信',
  cookies: 'cookie',
  ordinary: '搜索, 搜尋, 查询, 筛选, 排序, 查看, 加入购物车, 加入購物車, 更新购物车',
};

export const EASTERN_LANGUAGES = { KOREAN, ARABIC, TURKISH, HINDI, JAPANESE, CHINESE };
