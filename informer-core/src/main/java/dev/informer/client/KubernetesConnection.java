/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Connections of the informers to the API server of an {@link ApiClient}. They share its
 * credentials, TLS settings and interceptors, but have their own connection pool and
 * timeouts. HTTP/2 pings detect half-open connections.
 * <p>
 * Refreshable credentials are read again when the server answers 401.
 * <p>
 * Thread-safe.
 */
public final class KubernetesConnection implements AutoCloseable {

	private static final Duration PING_INTERVAL = Duration.ofSeconds(20);

	/** The API server ends any list request after 60 s. */
	private static final Duration LIST_READ_TIMEOUT = Duration.ofSeconds(70);

	private final ApiClient apiClient;

	private final OkHttpClient watchClient;

	private final OkHttpClient listClient;

	/**
	 * Create connections that are derived from a client.
	 * @param apiClient the client
	 */
	public KubernetesConnection(ApiClient apiClient) {
		this.apiClient = apiClient;
		OkHttpClient.Builder builder = apiClient.getHttpClient().newBuilder();
		builder.interceptors().add(0, this::refreshUnauthorized);
		this.watchClient = builder.connectionPool(new ConnectionPool())
			.pingInterval(PING_INTERVAL)
			.callTimeout(Duration.ZERO)
			.readTimeout(Duration.ZERO)
			.addNetworkInterceptor(KubernetesConnection::recordConnection)
			.build();
		this.listClient = this.watchClient.newBuilder().readTimeout(LIST_READ_TIMEOUT).build();
	}

	/**
	 * Return the client that the connections are derived from.
	 * @return the client
	 */
	public ApiClient apiClient() {
		return this.apiClient;
	}

	OkHttpClient watchClient() {
		return this.watchClient;
	}

	OkHttpClient listClient() {
		return this.listClient;
	}

	/**
	 * Create a call that records its connection for {@link #discardConnection(Call)}.
	 */
	static Call newCall(OkHttpClient client, Request request) {
		return client.newCall(request.newBuilder().tag(UsedConnection.class, new UsedConnection()).build());
	}

	private static Response recordConnection(Interceptor.Chain chain) throws IOException {
		UsedConnection used = chain.request().tag(UsedConnection.class);
		if (used != null) {
			used.connection = chain.connection();
		}
		return chain.proceed(chain.request());
	}

	/**
	 * Close the connection of a call that timed out. Cancelling the call would only reset
	 * its HTTP/2 stream, and the next request would use the same dead connection. Other
	 * calls on the connection fail and are retried over a new one. Idle connections are
	 * evicted too because they lead to the same server.
	 */
	void discardConnection(Call call) {
		UsedConnection used = call.request().tag(UsedConnection.class);
		Connection connection = (used != null) ? used.connection : null;
		if (connection != null) {
			close(connection.socket());
		}
		this.watchClient.connectionPool().evictAll();
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// ignored: the socket is being discarded
		}
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
		List<RefreshAuthentication> refreshing = this.watchClient.interceptors()
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
	 * Close the idle connections. Connections in use become idle when their calls end.
	 */
	@Override
	public void close() {
		this.watchClient.connectionPool().evictAll();
	}

	private static final class UsedConnection {

		private volatile @Nullable Connection connection;

	}

}
