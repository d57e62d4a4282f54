/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.logging.HttpLoggingInterceptor;
import okhttp3.logging.HttpLoggingInterceptor.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections of the informers to the API server of an {@link ApiClient}. They share its
 * credentials, TLS settings and interceptors, but have their own connection pool, sockets
 * and timeouts, do not follow redirects, and log no bodies. HTTP/2 pings and TCP
 * keep-alive detect half-open connections.
 * <p>
 * Refreshable credentials are read again when the server answers 401.
 * <p>
 * Thread-safe.
 */
public final class KubernetesConnection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(KubernetesConnection.class);

	private static final Duration PING_INTERVAL = Duration.ofSeconds(20);

	private static final String TIMER = "kubernetes-connection-timeouts";

	private static final String LOGGING = "okhttp3.logging.HttpLoggingInterceptor";

	/** Names of headers with credentials, including those of interceptors. */
	private static final Pattern CREDENTIALS = Pattern.compile("authorization|cookie|token|secret|password|api-?key",
			Pattern.CASE_INSENSITIVE);

	private static final String JSON = "application/json";

	private static final int MAX_LENGTH = 1 << 24;

	private static final int UNAUTHORIZED = 401;

	private static final int INVALID = 422;

	private static final int INTERNAL_ERROR = 500;

	/** Number of characters of a text in place of a status. */
	private static final int MAX_TEXT = 100;

	private static final int MAX_STATUS_LENGTH = 1 << 16;

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	private final ApiClient apiClient;

	private final double scale;

	private final ScheduledThreadPoolExecutor timer = newTimer();

	private final OkHttpClient client;

	/** For requests that must not have their effect twice. */
	private final OkHttpClient sendingOnce;

	/** The open calls, and whether this connection is closed. */
	private final Cancellation calls = new Cancellation();

	/** Whether a connection has delivered a response. */
	private final Map<Connection, Boolean> answered = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create connections that are derived from a client.
	 * @param apiClient the client
	 */
	public KubernetesConnection(ApiClient apiClient) {
		this(apiClient, 1);
	}

	/**
	 * Create connections whose limits are all multiplied by a factor.
	 */
	KubernetesConnection(ApiClient apiClient, double scale) {
		this.apiClient = apiClient;
		this.scale = scale;
		OkHttpClient.Builder builder = apiClient.getHttpClient().newBuilder();
		logWithoutBodies(builder, apiClient.getBasePath());
		builder.interceptors().add(0, this::refreshUnauthorized);
		this.client = builder.connectionPool(new ConnectionPool())
			.dispatcher(new Dispatcher())
			.cache(null)
			.socketFactory(new ConnectionSockets(apiClient.getHttpClient().socketFactory()))
			.retryOnConnectionFailure(true)
			.followRedirects(false)
			.followSslRedirects(false)
			.pingInterval(scaled(PING_INTERVAL))
			.connectTimeout(Duration.ZERO)
			.callTimeout(Duration.ZERO)
			.readTimeout(Duration.ZERO)
			.writeTimeout(Duration.ZERO)
			.addInterceptor((chain) -> callOf(chain).limit(chain))
			.addNetworkInterceptor(this::exchange)
			.build();
		OkHttpClient.Builder once = this.client.newBuilder().retryOnConnectionFailure(false);
		once.networkInterceptors().add(0, (chain) -> withoutRepetition(chain.proceed(chain.request())));
		this.sendingOnce = once.build();
	}

	/**
	 * Log lines of requests where the client, whose debugging may be enabled, logs
	 * bodies. The interceptor reads a response to its end before it returns it, and
	 * writes what is in Secrets, and the token, into the log.
	 */
	private static void logWithoutBodies(OkHttpClient.Builder builder, String url) {
		boolean found = false;
		for (List<Interceptor> interceptors : List.of(builder.interceptors(), builder.networkInterceptors())) {
			for (int i = 0; i < interceptors.size(); i++) {
				Interceptor interceptor = interceptors.get(i);
				// the library may be missing, as long as nobody uses it
				if (interceptor.getClass().getName().equals(LOGGING)
						&& interceptor instanceof HttpLoggingInterceptor log && log.getLevel() == Level.BODY) {
					interceptors.set(i, new HttpLoggingInterceptor().setLevel(Level.BASIC));
					found = true;
				}
			}
		}
		if (found) {
			logger.warn(
					"The client of the Kubernetes API server {} logs bodies; informers and writes log their request "
							+ "lines only, because the body of a watch does not end, and others contain credentials",
					url);
		}
	}

	/**
	 * Hide from OkHttp that a request may be repeated at once: it would send a create
	 * twice that a proxy has passed on and answers with a 503.
	 */
	private static Response withoutRepetition(Response response) {
		return (response.code() == 503) ? response.newBuilder().removeHeader("Retry-After").build() : response;
	}

	/**
	 * Return a timer whose thread ends when there is no timeout any more.
	 */
	private static ScheduledThreadPoolExecutor newTimer() {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, TIMER);
			thread.setDaemon(true);
			return thread;
		}, new ThreadPoolExecutor.DiscardPolicy());
		timer.setKeepAliveTime(1, TimeUnit.SECONDS);
		timer.allowCoreThreadTimeOut(true);
		timer.setRemoveOnCancelPolicy(true);
		return timer;
	}

	/**
	 * Create a request, which is sent when the call is opened.
	 * @throws IOException if the request is invalid, or this connection is closed
	 */
	ServerCall newCall(String method, String path, List<Pair> parameters, @Nullable Object body,
			Map<String, String> headers, CallLimits limits, Cancellation cancellation) throws IOException {
		return new ServerCall(this, this.client, request(method, path, parameters, body, headers), limits, cancellation,
				false);
	}

	/**
	 * Build a request. Its body is bytes, or an object to send as JSON; {@code null} for
	 * none.
	 */
	private Request request(String method, String path, List<Pair> parameters, @Nullable Object body,
			Map<String, String> headers) throws IOException {
		if (this.calls.isCancelled()) {
			throw new IOException("Cannot send the request for " + path + ": the connection is closed.");
		}
		try {
			return this.apiClient.buildRequest(null, path, method, parameters, List.of(), body, new HashMap<>(headers),
					new HashMap<>(), new HashMap<>(), AUTHENTICATIONS, null);
		}
		catch (ApiException ex) {
			throw new IOException("Cannot build the request for " + path + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * Send a request for a single object and wait for the object in its response.
	 * @param method the HTTP method
	 * @param path the path
	 * @param body the object to send; {@code null} for none
	 * @param timeout the maximum duration of the request
	 * @param cancellation the cancellation of the request
	 * @return the object
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws IOException if the server does not answer in time, is unreachable, or does
	 * not answer with an object
	 */
	public JsonObject send(String method, String path, @Nullable JsonObject body, Duration timeout,
			Cancellation cancellation) throws IOException {
		try (ServerCall call = newCall(method, path, List.of(), body, headers((body != null) ? JSON : null),
				CallLimits.ofTotal(timeout), cancellation)) {
			return JsonParser.parseString(new String(receive(call), StandardCharsets.UTF_8)).getAsJsonObject();
		}
		catch (JsonParseException | IllegalStateException ex) {
			// not as the cause: its message may quote the object
			throw new MalformedResponseException(
					"expected an object at " + path + ", got something else (" + ex.getClass().getSimpleName() + ")");
		}
	}

	/**
	 * Send a request for a thread of the user and wait for the response. An interrupt of
	 * the thread ends the wait on a connection of HTTP/2, which API servers use.
	 * @param method the HTTP method
	 * @param path the path
	 * @param query the parameters of the query
	 * @param contentType the media type of the body; {@code null} without one
	 * @param body the body; {@code null} for none
	 * @param repeatable whether the request may be sent again when its connection breaks,
	 * although the server may have received it
	 * @param timeout the maximum duration of the request
	 * @return the body of the response
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws InterruptedIOException if the thread is interrupted, which it remains
	 * @throws IOException if the server does not answer in time or is unreachable
	 */
	public byte[] send(String method, String path, Map<String, String> query, @Nullable String contentType,
			byte @Nullable [] body, boolean repeatable, Duration timeout) throws IOException {
		List<Pair> parameters = query.entrySet()
			.stream()
			.map((entry) -> new Pair(entry.getKey(), entry.getValue()))
			.toList();
		try (ServerCall call = new ServerCall(this, repeatable ? this.client : this.sendingOnce,
				request(method, path, parameters, body, headers(contentType)), CallLimits.ofTotal(timeout),
				new Cancellation(), true)) {
			return receive(call);
		}
	}

	/**
	 * List the object with a name as it is on the server now: a list, for which an
	 * informer has the right.
	 * @param selectors the selectors of the query
	 * @return the object; {@code null} if it does not exist, or is not selected
	 * @throws IOException if the request fails, or is not answered with a list
	 */
	public @Nullable JsonObject find(ResourceType<?> type, @Nullable String namespace, String name,
			Map<String, String> selectors, Duration timeout) throws IOException {
		Map<String, String> query = new LinkedHashMap<>(selectors);
		// the escapes of k8s.io/apimachinery/pkg/fields
		String value = name.replaceAll("[\\\\,=]", "\\\\$0");
		query.merge("fieldSelector", "metadata.name=" + value, (selector, named) -> named + "," + selector);
		query.put("limit", "1");
		byte[] answer = send("GET", type.path(namespace), query, null, null, true, timeout);
		try {
			JsonArray items = JsonParser.parseString(new String(answer, StandardCharsets.UTF_8))
				.getAsJsonObject()
				.getAsJsonArray("items");
			return (items != null && !items.isEmpty()) ? items.get(0).getAsJsonObject() : null;
		}
		catch (JsonParseException | IllegalStateException | ClassCastException ex) {
			// not as the cause: its message may quote the object
			throw new MalformedResponseException(
					"expected a list of " + type + ", got something else (" + ex.getClass().getSimpleName() + ")");
		}
	}

	private static Map<String, String> headers(@Nullable String contentType) {
		return (contentType != null) ? Map.of("Accept", JSON, "Content-Type", contentType) : Map.of("Accept", JSON);
	}

	private static byte[] receive(ServerCall call) throws IOException {
		try {
			byte[] body = call.open(KubernetesConnection::status).readNBytes(MAX_LENGTH);
			call.complete();
			return body;
		}
		catch (ServerStatusException ex) {
			// Another connection may lead to a server that works, or has other
			// credentials.
			int code = ex.status().code();
			if (code < INTERNAL_ERROR && code != UNAUTHORIZED) {
				call.complete();
			}
			throw ex;
		}
	}

	/**
	 * Read the body of a failed request. A value of another type than expected counts as
	 * missing.
	 */
	private static ServerStatus status(int code, InputStream body) throws IOException {
		String text = new String(body.readNBytes(MAX_STATUS_LENGTH), StandardCharsets.UTF_8);
		JsonElement status;
		try {
			status = JsonParser.parseString(text);
		}
		catch (JsonParseException ex) {
			status = JsonNull.INSTANCE;
		}
		String message = (code == INVALID) ? invalidFields(status) : text(status, "message");
		ServerStatus known = new ServerStatus(code, text(status, "reason"), message, List.of(), null);
		// a proxy, or an API server in front of another one, has not read the object
		return (known.isOfGateway() && !status.isJsonObject())
				? new ServerStatus(code, "", UntrustedText.of(text.strip(), MAX_TEXT), List.of(), null) : known;
	}

	/**
	 * Return the invalid fields of an object. The message quotes their values, with what
	 * they contain, such as a password in the environment of a container.
	 */
	private static String invalidFields(JsonElement status) {
		Set<String> fields = new LinkedHashSet<>();
		if (property(property(status, "details"), "causes") instanceof JsonArray causes) {
			for (JsonElement cause : causes) {
				if (cause.isJsonObject()) {
					fields.add(text(cause, "field") + " (" + text(cause, "reason") + ")");
				}
			}
		}
		return String.join(", ", fields);
	}

	private static String text(JsonElement object, String name) {
		return (property(object, name) instanceof JsonPrimitive value && value.isString()) ? value.getAsString() : "";
	}

	private static JsonElement property(JsonElement object, String name) {
		JsonElement value = (object instanceof JsonObject known) ? known.get(name) : null;
		return (value != null) ? value : JsonNull.INSTANCE;
	}

	private static ServerCall callOf(Interceptor.Chain chain) {
		return Objects.requireNonNull(chain.call().request().tag(ServerCall.class));
	}

	/**
	 * Send a request on its connection. A failure before the first response on a
	 * connection may mean that the server does not accept the client certificate.
	 */
	private Response exchange(Interceptor.Chain chain) throws IOException {
		Connection used = Objects.requireNonNull(chain.connection());
		this.answered.putIfAbsent(used, false);
		callOf(chain).connected(used);
		UntrustedText.mask(this, credentials(chain.request().headers()));
		boolean mayBeRejected = !hasAnswered(used) && ClosedAfterHandshakeException.isPossible(used);
		try {
			Response response = chain.proceed(chain.request());
			this.answered.put(used, true);
			return response;
		}
		catch (ProtocolException | InterruptedIOException ex) {
			throw ex;
		}
		catch (IOException ex) {
			boolean unexplained = mayBeRejected && !hasAnswered(used) && !chain.call().isCanceled()
					&& TlsFailure.of(ex) == null;
			throw unexplained ? ClosedAfterHandshakeException.of(used, ex) : ex;
		}
	}

	private boolean hasAnswered(Connection used) {
		return this.answered.getOrDefault(used, false);
	}

	/**
	 * Return the credentials of a request, which a server or a proxy may send back.
	 */
	private static List<String> credentials(Headers headers) {
		List<String> credentials = new ArrayList<>();
		for (int i = 0; i < headers.size(); i++) {
			if (!CREDENTIALS.matcher(headers.name(i)).find()) {
				continue;
			}
			String value = headers.value(i);
			String scheme = value.substring(0, value.indexOf(' ') + 1);
			String credential = value.substring(scheme.length());
			credentials.add(credential);
			if (scheme.equalsIgnoreCase("Basic ")) {
				credentials.addAll(userAndPassword(credential));
			}
		}
		return credentials;
	}

	private static List<String> userAndPassword(String encoded) {
		try {
			String decoded = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
			return List.of(decoded, decoded.substring(decoded.indexOf(':') + 1));
		}
		catch (IllegalArgumentException ex) {
			return List.of();
		}
	}

	/**
	 * Register what ends a call when this connection is closed.
	 */
	void register(Closeable cancelCall) {
		this.calls.register(cancelCall);
	}

	void unregister(Closeable cancelCall) {
		this.calls.unregister(cancelCall);
		if (this.calls.isCancelled()) {
			evictIdleConnections();
		}
	}

	Future<?> schedule(Runnable task, Duration delay) {
		return this.timer.schedule(task, TimeSource.nanos(delay), TimeUnit.NANOSECONDS);
	}

	Duration scaled(Duration limit) {
		return Duration.ofNanos((long) (TimeSource.nanos(limit) * this.scale));
	}

	/**
	 * Return the maximum time since the last data of a connection on which OkHttp finds a
	 * ping unanswered: the ping before was answered.
	 */
	Duration maxSilence() {
		return scaled(Duration.ofNanos(2 * TimeSource.nanos(PING_INTERVAL)));
	}

	void evictIdleConnections() {
		this.client.connectionPool().evictAll();
	}

	/**
	 * Repeat a request once after a 401 if the credentials are refreshable, such as a
	 * token that is read from a file once a minute. They are read again for the second
	 * attempt.
	 */
	private Response refreshUnauthorized(Interceptor.Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		if (response.code() != UNAUTHORIZED) {
			return response;
		}
		List<RefreshAuthentication> refreshing = this.client.interceptors()
			.stream()
			.filter(RefreshAuthentication.class::isInstance)
			.map(RefreshAuthentication.class::cast)
			.toList();
		if (refreshing.isEmpty()) {
			return response;
		}
		response.close();
		refreshing.forEach((authentication) -> authentication.setExpiry(Instant.MIN));
		return chain.proceed(chain.request());
	}

	/**
	 * Close all connections. Calls that still use one fail, and later ones are refused.
	 */
	@Override
	public void close() {
		this.calls.cancel();
		evictIdleConnections();
		List.copyOf(this.answered.keySet()).forEach((each) -> ConnectionSockets.abort(each.socket()));
		this.timer.shutdownNow();
		UntrustedText.forget(this);
	}

}
