package dev.informer.source;

import java.time.Duration;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;

/**
 * The informers' own connections to the API server that an {@link ApiClient} points to:
 * its credentials, TLS and interceptors, but a connection pool and timeouts apart from
 * whatever else the application does with it. HTTP/2 connections are pinged, so that one
 * that is dead without saying so is noticed.
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
		this.watchClient = apiClient.getHttpClient()
			.newBuilder()
			.connectionPool(new ConnectionPool())
			.pingInterval(PING_INTERVAL)
			.callTimeout(Duration.ZERO)
			.readTimeout(Duration.ZERO)
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
	 * Closes the connections that are idle, which all are once the calls on them have
	 * ended.
	 */
	@Override
	public void close() {
		this.watchClient.connectionPool().evictAll();
	}

}
