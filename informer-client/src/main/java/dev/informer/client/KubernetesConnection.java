/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

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
import org.jspecify.annotations.Nullable;

/**
 * Connections of the informers to the API server of an {@link ApiClient}. They share its
 * credentials, TLS settings and interceptors, but have their own connection pool, sockets
 * and timeouts, and do not follow redirects. HTTP/2 pings and TCP keep-alive detect
 * half-open connections.
 * <p>
 * Refreshable credentials are read again when the server answers 401.
 * <p>
 * Thread-safe.
 */
public final class KubernetesConnection implements AutoCloseable {

	private static final Duration PING_INTERVAL = Duration.ofSeconds(20);

	private static final String TIMER = "kubernetes-connection-timeouts";

	/** Names of headers with credentials, including those of interceptors. */
	private static final Pattern CREDENTIALS = Pattern.compile("authorization|cookie|token|secret|password|api-?key",
			Pattern.CASE_INSENSITIVE);

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	private final ApiClient apiClient;

	private final double scale;

	private final ScheduledThreadPoolExecutor timer = newTimer();

	private final ConnectionSockets sockets;

	private final OkHttpClient client;

	/** Connections that have delivered a response. */
	private final Set<Connection> answering = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private volatile boolean closed;

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
		this.sockets = new ConnectionSockets(apiClient.getHttpClient().socketFactory());
		builder.interceptors().add(0, this::refreshUnauthorized);
		this.client = builder.connectionPool(new ConnectionPool())
			.dispatcher(new Dispatcher())
			.cache(null)
			.socketFactory(this.sockets)
			.retryOnConnectionFailure(true)
			.followRedirects(false)
			.followSslRedirects(false)
			.pingInterval(CallLimits.scaled(PING_INTERVAL, scale))
			.connectTimeout(Duration.ZERO)
			.callTimeout(Duration.ZERO)
			.readTimeout(Duration.ZERO)
			.writeTimeout(Duration.ZERO)
			.addInterceptor(KubernetesConnection::clearInterrupt)
			.addNetworkInterceptor(this::exchange)
			.build();
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
	 * Create a GET request, which is sent when the call is opened.
	 * @throws IOException if the request is invalid, or this connection is closed
	 */
	ServerCall newCall(String path, List<Pair> parameters, String mediaType, CallLimits limits,
			Cancellation cancellation) throws IOException {
		return newCall("GET", path, parameters, null, Map.of("Accept", mediaType), limits, cancellation);
	}

	/**
	 * Create a GET request for a stream, whose response is not compressed. Since version
	 * 1.37, kube-apiserver compresses a streaming list and ends the gzip member whenever
	 * it has nothing to send, but OkHttp reads one member only.
	 * @throws IOException if the request is invalid, or this connection is closed
	 * @see <a href="https://github.com/square/okhttp/issues/3759">OkHttp: members of
	 * gzip</a>
	 */
	ServerCall newStream(String path, List<Pair> parameters, String mediaType, CallLimits limits,
			Cancellation cancellation) throws IOException {
		return newCall("GET", path, parameters, null, Map.of("Accept", mediaType, "Accept-Encoding", "identity"),
				limits, cancellation);
	}

	/**
	 * Create a request, which is sent when the call is opened. Its body is an object to
	 * send as JSON; {@code null} for none.
	 * @throws IOException if the request is invalid, or this connection is closed
	 */
	ServerCall newCall(String method, String path, List<Pair> parameters, @Nullable Object body, String mediaType,
			CallLimits limits, Cancellation cancellation) throws IOException {
		return newCall(
				method, path, parameters, body, (body != null)
						? Map.of("Accept", mediaType, "Content-Type", "application/json") : Map.of("Accept", mediaType),
				limits, cancellation);
	}

	private ServerCall newCall(String method, String path, List<Pair> parameters, @Nullable Object body,
			Map<String, String> headers, CallLimits limits, Cancellation cancellation) throws IOException {
		if (this.closed) {
			throw new IOException("Cannot send the request for " + path + ": the connection is closed.");
		}
		try {
			Request request = this.apiClient.buildRequest(null, path, method, parameters, List.of(), body,
					new HashMap<>(headers), new HashMap<>(), new HashMap<>(), AUTHENTICATIONS, null);
			return new ServerCall(this, this.client, request, limits.scaled(this.scale), cancellation);
		}
		catch (ApiException ex) {
			throw new IOException("Cannot build the request for " + path + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * Clear the interrupt that an interceptor of the caller's client left behind, before
	 * the connection is chosen.
	 */
	private static Response clearInterrupt(Interceptor.Chain chain) throws IOException {
		ServerCall call = chain.call().request().tag(ServerCall.class);
		if (call != null) {
			call.clearInterrupt();
		}
		return chain.proceed(chain.request());
	}

	/**
	 * Send a request on its connection. A failure before the first response on a
	 * connection may mean that the server does not accept the client certificate.
	 */
	private Response exchange(Interceptor.Chain chain) throws IOException {
		ServerCall call = chain.call().request().tag(ServerCall.class);
		Connection used = Objects.requireNonNull(chain.connection());
		if (call != null) {
			call.connected(used);
		}
		UntrustedText.mask(this, credentials(chain.request().headers()));
		boolean mayBeRejected = !this.answering.contains(used) && ClosedAfterHandshakeException.isPossible(used);
		try {
			Response response = chain.proceed(chain.request());
			this.answering.add(used);
			return response;
		}
		catch (ProtocolException | InterruptedIOException ex) {
			throw ex;
		}
		catch (IOException ex) {
			boolean unexplained = mayBeRejected && !this.answering.contains(used) && !chain.call().isCanceled()
					&& TlsFailure.of(ex) == null;
			throw unexplained ? ClosedAfterHandshakeException.of(used, ex) : ex;
		}
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
	 * Return the socket below a connection, without TLS.
	 */
	Socket socketBelow(Connection connection) {
		return this.sockets.below(connection.socket());
	}

	ScheduledExecutorService timer() {
		return this.timer;
	}

	/**
	 * Close the sockets of connections that have not been established for some time.
	 */
	void abortUnusedSockets(Duration time) {
		this.sockets.abortUnused(time);
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
		if (response.code() != 401) {
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
		this.closed = true;
		evictIdleConnections();
		this.sockets.close();
		this.timer.shutdownNow();
		UntrustedText.forget(this);
	}

}
