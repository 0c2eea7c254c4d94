// SPDX-License-Identifier: Apache-2.0
#include "core/llm/http_transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <mutex>

namespace ptxwb::llm {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The longest wait in one poll; a stop request wakes it earlier.
constexpr milliseconds pollSlice{250};

struct EasyDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct MultiDeleter {
    void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;
using Multi = std::unique_ptr<CURLM, MultiDeleter>;
using List = std::unique_ptr<curl_slist, ListDeleter>;

void initialiseCurl()
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

std::string_view trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

// What the callbacks of one transfer share.
struct Receiver {
    const HttpSink& sink;
    HttpResponseHead head{};
    bool headGiven = false;
    bool endedBySink = false;
    Clock::time_point lastByte = Clock::now();

    void headerLine(std::string_view line)
    {
        lastByte = Clock::now();
        if (line.starts_with("HTTP/")) {
            head = {};
            const auto blank = line.find(' ');
            head.status =
                blank == std::string_view::npos ? 0 : std::atoi(std::string(line.substr(blank)).c_str());
            return;
        }
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) {
            return;
        }
        const auto name = lowered(line.substr(0, colon));
        const auto value = trimmed(line.substr(colon + 1));
        if (name == "content-type") {
            head.contentType = lowered(trimmed(value.substr(0, value.find(';'))));
        } else if (name == "retry-after") {
            head.retryAfter = std::string(value);
        } else if (name == "location") {
            head.location = std::string(value);
        }
    }

    bool bodyBytes(std::string_view bytes)
    {
        lastByte = Clock::now();
        giveHead();
        if (endedBySink || !sink.body(bytes)) {
            endedBySink = true;
            return false;
        }
        return true;
    }

    void giveHead()
    {
        if (!headGiven) {
            headGiven = true;
            if (sink.head) {
                sink.head(head);
            }
        }
    }
};

std::size_t onHeader(char* bytes, std::size_t size, std::size_t count, void* receiver)
{
    static_cast<Receiver*>(receiver)->headerLine({bytes, size * count});
    return size * count;
}

std::size_t onBody(char* bytes, std::size_t size, std::size_t count, void* receiver)
{
    return static_cast<Receiver*>(receiver)->bodyBytes({bytes, size * count}) ? size * count : 0;
}

void configure(
    CURL* easy, const HttpRequest& request, curl_slist* headers, Receiver& receiver, char* errorText)
{
    curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    // A name server that does not answer must not hold up a stop.
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.limits.connect.count()));
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "ptx-workbench");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    if (request.bypassProxy) {
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
    }
    if (request.postBody) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(
            easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.postBody->size()));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.postBody->data());
    }
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, errorText);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, onHeader);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &receiver);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, onBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &receiver);
}

Error transferError(CURLcode code, const char* errorText)
{
    const std::string text = *errorText != '\0' ? errorText : curl_easy_strerror(code);
    Error error{.code = ErrorCode::Network, .message = text};
    switch (code) {
    case CURLE_COULDNT_CONNECT:
        error.hint = "is the server running, and is its port right?";
        break;
    case CURLE_COULDNT_RESOLVE_HOST:
        error.hint = "is the host's name right, and is there a network?";
        break;
    case CURLE_OPERATION_TIMEDOUT:
        error.code = ErrorCode::TimedOut;
        error.hint = "the server does not accept connections";
        break;
    case CURLE_SSL_CONNECT_ERROR:
        error.hint = "the server may speak plain http:// at this port";
        break;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        error.hint = "the server's certificate is not trusted here";
        break;
    default:
        break;
    }
    return error;
}

} // namespace

Result<HttpResponseHead> transfer(const HttpRequest& request, const HttpSink& sink, std::stop_token stop)
{
    initialiseCurl();
    Receiver receiver{.sink = sink};
    List headers;
    for (const auto& header : request.headers) {
        headers.reset(curl_slist_append(headers.release(), header.c_str()));
    }
    std::array<char, CURL_ERROR_SIZE> errorText{};
    const Multi multi(curl_multi_init());
    const Easy easy(curl_easy_init());
    if (!multi || !easy) {
        return Error{.code = ErrorCode::Internal, .message = "libcurl cannot be initialised"};
    }
    configure(easy.get(), request, headers.get(), receiver, errorText.data());
    curl_multi_add_handle(multi.get(), easy.get());
    // The handle must leave the multi before either is destroyed, on every path.
    const auto removeHandle = [&](CURL* handle) { curl_multi_remove_handle(multi.get(), handle); };
    const std::unique_ptr<CURL, decltype(removeHandle)> added(easy.get(), removeHandle);
    const std::stop_callback wakeOnStop(stop, [&] { curl_multi_wakeup(multi.get()); });

    std::optional<CURLcode> ended;
    while (!ended) {
        if (stop.stop_requested()) {
            return Error{.code = ErrorCode::Cancelled, .message = "stopped"};
        }
        int running = 0;
        if (const auto failed = curl_multi_perform(multi.get(), &running); failed != CURLM_OK) {
            return Error{.code = ErrorCode::Internal, .message = curl_multi_strerror(failed)};
        }
        int queued = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi.get(), &queued)) {
            if (message->msg == CURLMSG_DONE) {
                ended = message->data.result;
            }
        }
        const auto silence = std::chrono::duration_cast<milliseconds>(Clock::now() - receiver.lastByte);
        if (ended || receiver.endedBySink || (sink.enough && sink.enough(silence))) {
            break;
        }
        if (silence > request.limits.idle) {
            return Error{.code = ErrorCode::TimedOut,
                .message = "the server was silent for "
                    + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(silence).count())
                    + " s"};
        }
        const auto slice = std::min(pollSlice, request.limits.idle);
        curl_multi_poll(multi.get(), nullptr, 0, static_cast<int>(slice.count()), nullptr);
    }
    if (ended && *ended != CURLE_OK && !receiver.endedBySink) {
        return transferError(*ended, errorText.data());
    }
    receiver.giveHead();
    return receiver.head;
}

} // namespace ptxwb::llm
