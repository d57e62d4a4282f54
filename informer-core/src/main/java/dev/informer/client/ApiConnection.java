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
 * The informers' own connections to the API server that an {@link ApiClient} points to:
 * its credentials, TLS and interceptors, but a connection pool and timeouts apart from
 * whatever else the application does with it. HTTP/2 connections are pinged, so that one
 * that is dead without saying so is noticed.
 * <p>
 * Credentials that can be read anew are when the server does not accept them any more.
 * <p>
 * Thread-safe.
 */
public final class ApiConnection implements AutoCloseable {

	private static final Duration PING_INTERVAL = Duration.ofSeconds(20);

	/**
	 * How long a list may be silent. The server ends any list after 60 s.
	 */
	private static final Duration LIST_SILENCE = Duration.ofSeconds(70);

	private final ApiClient apiClient;

	private final OkHttpClient watchClient;

	private final OkHttpClient listClient;

	/**
	 * Derives connections from a client.
	 * @param apiClient the client
	 */
	public ApiConnection(ApiClient apiClient) {
		this.apiClient = apiClient;
		OkHttpClient.Builder builder = apiClient.getHttpClient().newBuilder();
		builder.interceptors().add(0, this::refreshUnauthorized);
		this.watchClient = builder.connectionPool(new ConnectionPool())
			.pingInterval(PING_INTERVAL)
			.callTimeout(Duration.ZERO)
			.readTimeout(Duration.ZERO)
			.addNetworkInterceptor(ApiConnection::noteConnection)
			.build();
		this.listClient = this.watchClient.newBuilder().readTimeout(LIST_SILENCE).build();
	}

	/**
	 * The client that the connections are derived from.
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
	 * A call that can be told which connection it has used.
	 */
	static Call newCall(OkHttpClient client, Request request) {
		return client.newCall(request.newBuilder().tag(UsedConnection.class, new UsedConnection()).build());
	}

	private static Response noteConnection(Interceptor.Chain chain) throws IOException {
		UsedConnection used = chain.request().tag(UsedConnection.class);
		if (used != null) {
			used.connection = chain.connection();
		}
		return chain.proceed(chain.request());
	}

	/**
	 * Closes the connection of a call that was not answered for too long. Without this
	 * the end of the call would end no more than its stream, and what is asked for next
	 * would go out over the same dead connection. What else goes on there breaks off, and
	 * is asked for again over another one, as are connections that have been idle: they
	 * lead to the same place.
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
			// it is as dead as it can be
		}
	}

	/**
	 * Asks once more when the credentials are not accepted and are of the kind that is
	 * read from somewhere now and then, such as a token from a file once a minute: they
	 * are read for that.
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
	 * Closes the connections that are idle, which all are once the calls on them have
	 * ended.
	 */
	@Override
	public void close() {
		this.watchClient.connectionPool().evictAll();
	}

	private static final class UsedConnection {

		private volatile @Nullable Connection connection;

	}

}
