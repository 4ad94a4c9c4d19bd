#include <libwebsockets.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/prctl.h>
#include <sys/socket.h>

// Swift does not import macros that compute.
static const uint64_t auricle_lws_tls = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
static const uint64_t auricle_lws_explicit_vhosts = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
static const uint64_t auricle_lws_check_utf8 = LWS_SERVER_OPTION_VALIDATE_UTF8;
static const uint64_t auricle_lws_no_system_authorities = LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
static const uint64_t auricle_lws_no_ipv6 = LWS_SERVER_OPTION_DISABLE_IPV6;
static const uint64_t auricle_lws_must_bind = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
static const int auricle_lws_space_before = LWS_PRE;

static inline void auricle_lws_kill(struct lws *wsi) {
  lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

static inline void auricle_lws_quiet(void) { lws_set_log_level(0, NULL); }

// The address that a certificate must be for, where it is a number: libwebsockets itself compares names only.
static inline int auricle_tls_expect_address(void *context, const char *address) {
  return X509_VERIFY_PARAM_set1_ip_asc(SSL_CTX_get0_param((SSL_CTX *)context), address);
}

// Why a certificate is refused.
static inline const char *auricle_tls_reason(void *store) {
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error((X509_STORE_CTX *)store));
}

// Names the calling thread, as the system shows it.
static inline void auricle_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// A timer of a loop. One of a connection would end with the first step of its farewell.
typedef struct auricle_timer {
  lws_sorted_usec_list_t entry;
  void *owner;
  void (*fire)(void *owner);
} auricle_timer;

static inline void auricle_timer_fired(lws_sorted_usec_list_t *entry) {
  auricle_timer *timer = lws_container_of(entry, auricle_timer, entry);
  timer->fire(timer->owner);
}

static inline void auricle_timer_set(auricle_timer *timer, struct lws_context *context, int64_t microseconds) {
  lws_sul_schedule(context, 0, &timer->entry, auricle_timer_fired, microseconds);
}

static inline void auricle_timer_cancel(auricle_timer *timer) { lws_sul_cancel(&timer->entry); }
