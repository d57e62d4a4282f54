/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;

import dev.informer.client.CredentialsException;
import dev.informer.client.TimeSource;
import dev.informer.client.connection.TlsMaterial.ClientCertificate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Factory of TLS sockets that uses the current {@link TlsMaterial}. It is read again when
 * a request begins, at most once a second, and after a failed handshake. When it has
 * changed, connections with the old one are closed: the server would continue to see the
 * old identity, and one whose CA was removed would still be trusted.
 * <p>
 * A thread compares the material while connections with a client certificate are open,
 * because no request may follow for ten minutes. Without one, the next request sees the
 * change in time.
 * <p>
 * Thread-safe. All state is guarded by this object.
 *
 * @see <a href=
 * "https://github.com/kubernetes/client-go/blob/master/transport/cert_rotation.go">cert_rotation.go</a>
 */
final class ReloadingSockets extends SSLSocketFactory {

	private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

	private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(ReloadingSockets.class);

	private final Server server;

	private final String origin;

	private final Set<Socket> open = Collections.newSetFromMap(new WeakHashMap<>());

	private TlsMaterial material;

	/** The client certificate of the credentials, which replaces that of the material. */
	private @Nullable ClientCertificate issued;

	private X509TrustManager trustManager;

	private SSLContext context;

	private long checked = System.nanoTime();

	private @Nullable String problem;

	private boolean polling;

	ReloadingSockets(Server server, String origin) throws GeneralSecurityException {
		this.server = server;
		this.origin = origin;
		this.material = server.tls().get();
		this.trustManager = trustManager(this.material);
		this.context = this.material.context(this.trustManager);
	}

	private X509TrustManager trustManager(TlsMaterial material) throws GeneralSecurityException {
		return new ServerTrust(this.server.verifyTls() ? material.trustManager() : null, this.origin);
	}

	synchronized X509TrustManager trustManager() {
		return this.trustManager;
	}

	/**
	 * Reload the material if it has changed, unless that was checked within the last
	 * second.
	 */
	synchronized void reloadRegularly() {
		if (System.nanoTime() - this.checked >= TimeSource.nanos(MIN_INTERVAL)) {
			reload();
		}
	}

	/**
	 * Reload the material if it has changed, and return whether it has.
	 */
	synchronized boolean reload() {
		this.checked = System.nanoTime();
		try {
			TlsMaterial next = this.server.tls().get();
			// Otherwise the trust store of the JVM would be used.
			if (next.ca() == null && this.material.ca() != null) {
				throw new IllegalStateException("the CA certificate is missing");
			}
			boolean changed = use(next, this.issued);
			this.problem = null;
			return changed;
		}
		catch (GeneralSecurityException | RuntimeException ex) {
			// A file may be replaced at this moment, or the new content is invalid.
			String problem = ex.getClass().getSimpleName();
			if (!problem.equals(this.problem)) {
				this.problem = problem;
				logger.atWarn()
					.addKeyValue("from", this.origin)
					.log("Failed to reload the TLS certificates of {} ({}); keeping the last ones", this.origin,
							(ex.getMessage() != null) ? problem + ": " + ex.getMessage() : problem);
			}
			return false;
		}
	}

	/**
	 * Return whether the material could not be reloaded, so that the last one is used.
	 */
	synchronized boolean isReloadFailing() {
		return this.problem != null;
	}

	/**
	 * Use the client certificate of the credentials, or that of the material.
	 */
	synchronized void use(@Nullable ClientCertificate certificate) throws IOException {
		try {
			use(this.material, certificate);
		}
		catch (GeneralSecurityException | RuntimeException ex) {
			throw new CredentialsException("Cannot use the client certificate of the credentials ("
					+ ex.getClass().getSimpleName() + "). Check that its certificate and key are in PEM format.");
		}
	}

	private boolean use(TlsMaterial next, @Nullable ClientCertificate issued) throws GeneralSecurityException {
		if (next.equals(this.material) && Objects.equals(issued, this.issued)) {
			return false;
		}
		X509TrustManager trustManager = trustManager(next);
		SSLContext context = ((issued != null) ? next.withCertificate(issued) : next).context(trustManager);
		boolean reloaded = this.issued != null || next != this.material;
		this.material = next;
		this.issued = issued;
		this.trustManager = trustManager;
		this.context = context;
		this.open.forEach(ReloadingSockets::abort);
		this.open.clear();
		if (reloaded) {
			logger.atInfo()
				.addKeyValue("from", this.origin)
				.log("Reloaded the TLS certificates of {}; closed connections with the old ones", this.origin);
		}
		return true;
	}

	/**
	 * Close a socket below TLS without waiting for its peer.
	 */
	private static void abort(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
			socket.close();
		}
		catch (IOException ex) {
			// ignored: closed already
		}
	}

	synchronized void close() {
		this.open.clear();
		notifyAll();
	}

	private void poll() {
		if (this.polling || (this.material.certificate() == null && this.material.configured() == null)) {
			return;
		}
		this.polling = true;
		Thread thread = new Thread(this::reloadWhileOpen, "informer-certificates");
		thread.setDaemon(true);
		thread.start();
	}

	private synchronized void reloadWhileOpen() {
		try {
			while (!this.open.isEmpty()) {
				this.wait(TimeSource.millis(POLL_INTERVAL));
				reload();
				this.open.removeIf(Socket::isClosed);
			}
		}
		catch (InterruptedException ex) {
			// ignored: the next connection starts another thread
		}
		finally {
			this.polling = false;
		}
	}

	@Override
	public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
		SSLSocketFactory factory;
		TlsMaterial current;
		synchronized (this) {
			current = this.material;
			this.open.removeIf(Socket::isClosed);
			this.open.add(socket);
			poll();
			factory = this.context.getSocketFactory();
		}
		String serverName = this.server.serverName();
		Socket secured = factory.createSocket(socket, (serverName != null) ? serverName : host, port, autoClose);
		current.restrict(secured);
		return secured;
	}

	@Override
	public synchronized String[] getDefaultCipherSuites() {
		return this.context.getSocketFactory().getDefaultCipherSuites();
	}

	@Override
	public synchronized String[] getSupportedCipherSuites() {
		return this.context.getSocketFactory().getSupportedCipherSuites();
	}

	@Override
	public Socket createSocket(String host, int port) {
		throw new UnsupportedOperationException("Only connected sockets are supported");
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
		throw new UnsupportedOperationException("Only connected sockets are supported");
	}

	@Override
	public Socket createSocket(InetAddress host, int port) {
		throw new UnsupportedOperationException("Only connected sockets are supported");
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
		throw new UnsupportedOperationException("Only connected sockets are supported");
	}

}
