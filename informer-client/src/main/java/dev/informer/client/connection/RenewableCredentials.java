/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import dev.informer.client.CredentialsException;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * {@link Credentials} from a {@link Provider}, which runs in a separate thread, once at a
 * time for all requests. A credential is renewed in the background before it expires, and
 * on demand after it expired or the server rejected it.
 * <p>
 * <b>Concurrency.</b> {@code current}, {@code running} and the times are guarded by
 * {@code lock}. Requests wait for the provider without the lock, for a limited time.
 */
final class RenewableCredentials implements Credentials {

	/**
	 * Maximum time that a request waits: less than the 15 s in which an informer expects
	 * a connection.
	 */
	static final Duration MAX_WAIT = Duration.ofSeconds(12);

	/**
	 * Minimum time between two renewals that the server or a failure causes, so that many
	 * informers with invalid credentials do not start the provider endlessly.
	 */
	static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

	private static final Duration RETRY_IN_BACKGROUND = Duration.ofSeconds(15);

	private static final Duration MAX_AHEAD = Duration.ofMinutes(2);

	private static final Duration POLL = Duration.ofMillis(50);

	private static final Logger logger = LoggerFactory.getLogger(RenewableCredentials.class);

	private final Object lock = new Object();

	private final Provider provider;

	private final TimeSource time;

	private @Nullable Credential current;

	private @Nullable Moment renewed;

	private @Nullable Moment failed;

	private @Nullable IOException failure;

	private @Nullable CompletableFuture<Credential> running;

	/**
	 * Create credentials. The wall clock decides about the expiry of a credential, the
	 * monotonic time about the next attempt.
	 */
	RenewableCredentials(Provider provider, TimeSource time) {
		this.provider = provider;
		this.time = time;
	}

	@Override
	public Credential get(BooleanSupplier cancelled) throws IOException {
		CompletableFuture<Credential> renewal;
		synchronized (this.lock) {
			Credential known = this.current;
			if (known != null && !expiresWithin(known, Duration.ZERO)) {
				if (expiresWithin(known, ahead(known)) && isPast(this.failed, RETRY_IN_BACKGROUND)) {
					renew();
				}
				return known;
			}
			if (this.failure != null && !isPast(this.failed, MIN_INTERVAL)) {
				throw copy(this.failure);
			}
			renewal = renew();
		}
		return await(renewal, cancelled);
	}

	@Override
	public Credential replace(Credential rejected, BooleanSupplier cancelled) throws IOException {
		CompletableFuture<Credential> renewal;
		synchronized (this.lock) {
			Credential known = this.current;
			if (known != null && known != rejected) {
				return known;
			}
			if (this.running == null && !isPast(this.renewed, MIN_INTERVAL)) {
				return rejected;
			}
			renewal = renew();
		}
		return await(renewal, cancelled);
	}

	@Override
	public boolean isRenewalFailing() {
		synchronized (this.lock) {
			return this.failure != null;
		}
	}

	private Duration ahead(Credential credential) {
		Instant expiry = credential.expiry();
		if (expiry == null || this.renewed == null || this.renewed.time().isAfter(expiry)) {
			return Duration.ZERO;
		}
		Duration fifth = Duration.between(this.renewed.time(), expiry).dividedBy(5);
		return (fifth.compareTo(MAX_AHEAD) < 0) ? fifth : MAX_AHEAD;
	}

	private boolean expiresWithin(Credential credential, Duration duration) {
		return credential.expiry() != null && !TimeSource.plus(this.time.now(), duration).isBefore(credential.expiry());
	}

	private boolean isPast(@Nullable Moment begin, Duration duration) {
		return begin == null || begin.age(this.time).compareTo(duration) >= 0;
	}

	private CompletableFuture<Credential> renew() {
		if (this.running != null) {
			return this.running;
		}
		CompletableFuture<Credential> renewal = new CompletableFuture<>();
		Thread thread = new Thread(() -> obtain(renewal), "informer-credentials");
		thread.setDaemon(true);
		// Throws if there is no memory for a thread: then nothing is running
		thread.start();
		this.running = renewal;
		return renewal;
	}

	private void obtain(CompletableFuture<Credential> renewal) {
		try {
			Credential credential = this.provider.obtain();
			synchronized (this.lock) {
				this.current = credential;
				this.renewed = this.time.moment();
				this.failure = null;
				this.failed = null;
				this.running = null;
			}
			logger.atDebug()
				.addKeyValue("provider", this.provider)
				.addKeyValue("expiry", credential.expiry())
				.log("Renewed the credentials from {}", this.provider);
			renewal.complete(credential);
		}
		catch (IOException ex) {
			fail(renewal, ex);
		}
		catch (RuntimeException | Error ex) {
			// Without the message, which is not known to be free of secrets.
			fail(renewal, new CredentialsException(
					"Cannot obtain credentials from " + this.provider + ": " + ex.getClass().getSimpleName()));
		}
	}

	private void fail(CompletableFuture<Credential> renewal, IOException failure) {
		boolean usable;
		synchronized (this.lock) {
			usable = this.current != null && this.failure == null;
			this.failure = failure;
			this.failed = this.time.moment();
			this.running = null;
		}
		// A request that waits reports the failure itself.
		logger.atLevel(usable ? Level.WARN : Level.DEBUG)
			.addKeyValue("provider", this.provider)
			.log("Failed to renew the credentials from {} ({}); retrying with the next request", this.provider,
					failure.getMessage());
		renewal.completeExceptionally(failure);
	}

	private Credential await(CompletableFuture<Credential> renewal, BooleanSupplier cancelled) throws IOException {
		long end = System.nanoTime() + TimeSource.nanos(MAX_WAIT);
		while (System.nanoTime() - end < 0) {
			try {
				return renewal.get(TimeSource.nanos(POLL), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				if (cancelled.getAsBoolean()) {
					throw new IOException("Canceled");
				}
			}
			catch (ExecutionException ex) {
				throw (ex.getCause() instanceof IOException io) ? copy(io) : new IOException(ex.getCause());
			}
			catch (InterruptedException ex) {
				throw new InterruptedIOException("Interrupted while waiting for " + this.provider);
			}
		}
		throw new CredentialsException(
				this.provider + " did not answer within " + MAX_WAIT.toSeconds() + " s; it is still running");
	}

	/**
	 * Return an exception of this thread: one instance must not be shared by requests,
	 * which add suppressed exceptions.
	 */
	private static IOException copy(IOException failure) {
		return new CredentialsException(String.valueOf(failure.getMessage()));
	}

	/**
	 * Source of credentials that may take long, such as a command. Its text is its name
	 * in messages.
	 */
	interface Provider {

		/**
		 * Obtain a credential, within the deadline of this provider. Messages of failures
		 * contain no secrets.
		 */
		Credential obtain() throws IOException;

	}

}
