/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Real kube-apiserver with etcd, as local processes that listen on the loopback interface
 * only, with RBAC, an administrator and users who authenticate by token. Optionally a
 * living cluster: with controller-manager, scheduler, and simulated nodes on which pods
 * become running. Without controller-manager objects do not change by themselves:
 * namespaces stay {@code Terminating}, and the cluster roles {@code view}, {@code edit}
 * and {@code admin} grant nothing.
 * <p>
 * The servers end with {@link #close()} or with this JVM. Their logs are in files, whose
 * last lines are part of the message of a failed start.
 * <p>
 * Thread-safe. Killing, starting and closing exclude each other.
 *
 * <pre>
 * try (ControlPlane cluster = ControlPlane.fromEnvironment().user("reader", "reader-token").start()) {
 *     connect(cluster.kubeconfig("reader"));
 * }
 * </pre>
 */
public final class ControlPlane implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ControlPlane.class);

	private final Object lifecycle = new Object();

	private final List<TokenUser> users;

	private final ControlPlaneFolder folder;

	private final Assets assets;

	private volatile ServerProcess etcd;

	private final int etcdPort;

	private final ApiServer apiServer;

	private final LivingParts livingParts = new LivingParts();

	private final Thread shutdownHook = new Thread(this::release, "control-plane-shutdown");

	private final Map<String, String> flags;

	private final String version;

	private boolean closed;

	ControlPlane(Assets assets, ControlPlaneFolder folder, List<TokenUser> users, Map<String, String> flags,
			int nodes) {
		this.users = users;
		this.assets = assets;
		this.folder = folder;
		this.flags = flags;
		this.etcdPort = LoopbackPorts.free();
		this.apiServer = new ApiServer(assets, this.folder, this.etcdPort, LoopbackPorts.free(), flags, adminToken());
		this.etcd = Etcd.start(assets, this.folder.root(), this.etcdPort);
		Runtime.getRuntime().addShutdownHook(this.shutdownHook);
		try {
			this.apiServer.start(this.etcd);
			this.version = this.apiServer.version();
			if (nodes > 0) {
				this.livingParts.start(assets, this.folder, kubeconfigFile(ControlPlaneBuilder.ADMIN),
						new Nodes(this.apiServer.connection(), nodes));
			}
			logger.info("Started control plane {} (version {}, {} nodes, files in {})", url(), this.version, nodes,
					this.folder.root());
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Return a builder that uses the binaries in a folder.
	 * @param assets a folder with {@code kube-apiserver} and {@code etcd}; for a living
	 * cluster also with {@code kube-controller-manager}, {@code kube-scheduler},
	 * {@code kwok} and {@code kwok-stages.yaml}
	 * @return a builder
	 */
	public static ControlPlaneBuilder from(Path assets) {
		return new ControlPlaneBuilder(new Assets(assets));
	}

	/**
	 * Return a builder that uses the binaries in the folder of the environment variable
	 * {@code KUBEBUILDER_ASSETS}.
	 * @return a builder
	 * @throws IllegalStateException when the variable is not set
	 */
	public static ControlPlaneBuilder fromEnvironment() {
		return new ControlPlaneBuilder(Assets.fromEnvironment()
			.orElseThrow(() -> new IllegalStateException(
					Assets.VARIABLE + " is not set; it names the folder with kube-apiserver and etcd")));
	}

	/**
	 * Return the address of the API server.
	 * @return the address, {@code https://127.0.0.1:PORT}, the same after a restart
	 */
	public URI url() {
		return this.apiServer.url();
	}

	/**
	 * Return the address of etcd, for the flag {@code etcd-servers} of another API server
	 * on the same data.
	 * @return the address, {@code http://127.0.0.1:PORT}, the same after a restart
	 */
	public URI etcdUrl() {
		return URI.create("http://127.0.0.1:" + this.etcdPort);
	}

	/**
	 * Return the version of the API server.
	 * @return the version, for instance {@code v1.36.3}
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Return the CA certificate of the API server.
	 * @return the certificate in text form (PEM), the same after a restart until
	 * {@link #replaceServerCertificate}
	 */
	public byte[] caCertificate() {
		return this.folder.certificateAuthority();
	}

	/**
	 * Return the token of {@code admin}, who has all rights.
	 * @return the bearer token
	 */
	public String adminToken() {
		return token(ControlPlaneBuilder.ADMIN);
	}

	/**
	 * Return a user's token.
	 * @param user the user's name, {@code admin} or one that the builder was given
	 * @return the bearer token
	 * @throws IllegalArgumentException when there is no such user
	 */
	public String token(String user) {
		return this.users.stream()
			.filter((candidate) -> candidate.name().equals(user))
			.findFirst()
			.map(TokenUser::token)
			.orElseThrow(() -> new IllegalArgumentException("Unknown user %s. Known users: %s".formatted(user,
					this.users.stream().map(TokenUser::name).toList())));
	}

	/**
	 * Return the administrator's kubeconfig.
	 * @return the file's text
	 */
	public String kubeconfig() {
		return kubeconfig(ControlPlaneBuilder.ADMIN);
	}

	/**
	 * Return a user's kubeconfig.
	 * @param user the user's name, {@code admin} or one that the builder was given
	 * @return the file's text
	 * @throws IllegalArgumentException when there is no such user
	 */
	public String kubeconfig(String user) {
		return Kubeconfig.of(url(), caCertificate(), user, token(user));
	}

	/**
	 * Write a user's kubeconfig to a file, which {@link #close()} deletes.
	 * @param user the user's name, {@code admin} or one that the builder was given
	 * @return the file's path
	 * @throws IllegalArgumentException when there is no such user
	 */
	public Path kubeconfigFile(String user) {
		String number = Integer.toString(this.users.stream().map(TokenUser::name).toList().indexOf(user));
		return this.folder.write("kubeconfig-" + number + ".yaml", kubeconfig(user));
	}

	/**
	 * Kill the API server (SIGKILL) and wait for its end. etcd keeps the data.
	 */
	public void killApiServer() {
		whileOpen(() -> this.apiServer.kill());
	}

	/**
	 * Start the killed API server with the same port, etcd and certificate, and wait
	 * until it is ready.
	 * @throws IllegalStateException when it is running already or does not become ready
	 */
	public void startApiServer() {
		whileOpen(() -> this.apiServer.start(this.etcd));
	}

	/**
	 * Replace the certificate of the API server and restart the server, which ends all
	 * connections with the old certificate.
	 * @param chain the certificate and that of its CA in text form (PEM)
	 * @param key the key in text form (PEM)
	 */
	public void replaceServerCertificate(String chain, String key) {
		whileOpen(() -> {
			this.apiServer.kill();
			this.folder.replaceServerCertificate(chain, key);
			this.apiServer.start(this.etcd);
		});
	}

	/**
	 * Freeze the API server (SIGSTOP): connections stay open, new ones are accepted by
	 * the operating system, and nothing answers.
	 */
	public void suspendApiServer() {
		whileOpen(() -> this.apiServer.suspend());
	}

	/**
	 * Resume a frozen API server (SIGCONT).
	 */
	public void resumeApiServer() {
		whileOpen(() -> this.apiServer.resume());
	}

	/**
	 * Kill etcd (SIGKILL) and wait for its end. The API server keeps running and answers
	 * from its caches where it can.
	 */
	public void killEtcd() {
		whileOpen(() -> this.etcd.kill());
	}

	/**
	 * Start the killed etcd with its data.
	 * @throws IllegalStateException when it is running already
	 */
	public void startEtcd() {
		whileOpen(() -> {
			if (this.etcd.isAlive()) {
				throw new IllegalStateException("Cannot start etcd: already running");
			}
			this.etcd = Etcd.start(this.assets, this.folder.root(), this.etcdPort);
		});
	}

	/**
	 * Compact etcd to the current revision, so that lists and watches from older resource
	 * versions fail with 410. The caches of the API server keep their events until its
	 * restart.
	 */
	public void compactHistory() {
		whileOpen(() -> Etcd.compact(this.etcdPort));
	}

	/**
	 * Back up etcd for {@link #restoreEtcd()}, in place of an earlier backup. etcd is
	 * frozen for the moment of the copy: its files are then as after a crash, from which
	 * it recovers.
	 */
	public void backUpEtcd() {
		whileOpen(() -> {
			this.etcd.suspend();
			try {
				this.folder.copy(Etcd.DATA, Etcd.BACKUP);
			}
			finally {
				this.etcd.resume();
			}
		});
	}

	/**
	 * Restart etcd and the API server with the data of {@link #backUpEtcd()}: resource
	 * versions are rolled back, and later changes are lost.
	 * @throws IllegalStateException when there is no backup
	 */
	public void restoreEtcd() {
		requireBackup("restore etcd");
		whileOpen(() -> {
			this.apiServer.kill();
			this.etcd.kill();
			this.folder.copy(Etcd.BACKUP, Etcd.DATA);
			this.etcd = Etcd.start(this.assets, this.folder.root(), this.etcdPort);
			this.apiServer.start(this.etcd);
		});
	}

	/**
	 * Start another control plane with the data of {@link #backUpEtcd()}: a standby that
	 * is restored from a backup. It has the users, keys, certificate and flags of this
	 * one, so clients that change to it need to know its address only.
	 * @return the running control plane, to be closed by the caller
	 * @throws IllegalStateException when there is no backup, or a server does not become
	 * ready
	 */
	public ControlPlane startStandby() {
		requireBackup("start a standby");
		return ControlPlaneBuilder
			.onFreePorts(() -> new ControlPlane(this.assets, this.folder.createStandby(), this.users, this.flags, 0));
	}

	private void requireBackup(String purpose) {
		if (!Files.isDirectory(this.folder.root().resolve(Etcd.BACKUP))) {
			throw new IllegalStateException("Cannot " + purpose + ": missing backup. Call backUpEtcd() first.");
		}
	}

	/**
	 * Return the last lines that API server and etcd have logged.
	 * @return the lines below the name of each log
	 */
	public String logTails() {
		return this.apiServer.tail() + System.lineSeparator() + this.etcd.tail();
	}

	private void whileOpen(Runnable action) {
		synchronized (this.lifecycle) {
			if (this.closed) {
				throw new IllegalStateException("Cannot use the control plane: it is closed");
			}
			action.run();
		}
	}

	ApiConnection connection() {
		return this.apiServer.connection();
	}

	/**
	 * End all processes, wait for their end and delete their files. Idempotent.
	 */
	@Override
	public void close() {
		synchronized (this.lifecycle) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			release();
			try {
				Runtime.getRuntime().removeShutdownHook(this.shutdownHook);
			}
			catch (IllegalStateException ex) {
				logger.atDebug().log("Closed the control plane during the shutdown of the JVM");
			}
		}
	}

	private void release() {
		this.livingParts.kill();
		this.apiServer.kill();
		this.etcd.kill();
		this.folder.delete();
	}

}
