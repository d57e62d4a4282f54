/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;

import dev.informer.CredentialsException;
import dev.informer.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Factory of TLS sockets that uses the current {@link TlsMaterial}. It is read again when
 * a request begins, at most once a second, and after a failed handshake. When the client
 * certificate has changed, connections with the old one are closed: the server would
 * continue to see the old identity.
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

	private final Supplier<TlsMaterial> source;

	private final boolean verify;

	private final String origin;

	private final @Nullable String serverName;

	private final Set<Socket> open = Collections.newSetFromMap(new WeakHashMap<>());

	private TlsMaterial material;

	/** The client certificate of the credentials, which replaces that of the material. */
	private @Nullable ClientCertificate issued;

	private X509TrustManager trustManager;

	private SSLContext context;

	private long checked = System.nanoTime();

	private @Nullable String problem;

	private boolean polling;

	/**
	 * Create a factory.
	 * @param source the source of the current material
	 * @param verify whether to verify the certificate of the server
	 * @param origin the origin of the material, for messages
	 * @param serverName the name that the server certificate is for; {@code null} for the
	 * host of the URL
	 * @throws GeneralSecurityException if the material is invalid
	 */
	ReloadingSockets(Supplier<TlsMaterial> source, boolean verify, String origin, @Nullable String serverName)
			throws GeneralSecurityException {
		this.source = source;
		this.verify = verify;
		this.origin = origin;
		this.serverName = serverName;
		this.material = source.get();
		this.trustManager = trustManager(this.material);
		this.context = this.material.context(this.trustManager);
	}

	private X509TrustManager trustManager(TlsMaterial material) throws GeneralSecurityException {
		return this.verify ? material.trustManager(this.origin) : new TrustAll();
	}

	/**
	 * Return the trust manager.
	 * @return the current trust manager
	 */
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
	 * Reload the material if it has changed.
	 * @return whether it has changed
	 */
	synchronized boolean reload() {
		this.checked = System.nanoTime();
		try {
			TlsMaterial next = this.source.get();
			// Otherwise the trust store of the JVM would be used.
			Assert.state(next.ca() != null || this.material.ca() == null, "the CA certificate is missing");
			return use(next, this.issued);
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
	 * Use the client certificate of the credentials.
	 * @param certificate the certificate; {@code null} for that of the material
	 * @throws IOException if the certificate or its key is invalid
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
		this.problem = null;
		if (next.equals(this.material) && Objects.equals(issued, this.issued)) {
			return false;
		}
		X509TrustManager trustManager = trustManager(next);
		SSLContext context = ((issued != null) ? next.withCertificate(issued) : next).context(trustManager);
		boolean sameIdentity = Objects.equals(next.certificate(), this.material.certificate())
				&& Objects.equals(next.bundle(), this.material.bundle()) && Objects.equals(issued, this.issued);
		boolean reloaded = this.issued != null || next != this.material;
		this.material = next;
		this.issued = issued;
		this.trustManager = trustManager;
		this.context = context;
		if (!sameIdentity) {
			this.open.forEach(ReloadingSockets::abort);
			this.open.clear();
		}
		if (reloaded) {
			logger.atInfo()
				.addKeyValue("from", this.origin)
				.log("Reloaded the TLS certificates of {}{}", this.origin,
						sameIdentity ? "" : "; closed connections with the old client certificate");
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

	private void poll() {
		if (this.polling || (this.material.certificate() == null && this.material.bundle() == null)) {
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
		Socket secured = factory.createSocket(socket, (this.serverName != null) ? this.serverName : host, port,
				autoClose);
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
