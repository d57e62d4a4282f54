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
 * A real kube-apiserver with its etcd, both processes of this machine that listen on the
 * loopback interface alone, with an administrator and users who authenticate by token,
 * and with RBAC. On request a living cluster: with controller-manager, scheduler, and
 * nodes on which pods run as far as the API server can tell. Without the
 * controller-manager nothing happens to objects by itself: namespaces stay
 * {@code Terminating}, and the cluster roles {@code view}, {@code edit} and {@code admin}
 * grant nothing.
 * <p>
 * The servers end with {@link #close()}, and with this JVM however it ends. Their logs
 * are in files; the end of them is part of the message when a start fails.
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

	private static final int PORT_ATTEMPTS = 5;

	private final Object lifecycle = new Object();

	private final List<TokenUser> users;

	private final ControlPlaneFolder folder;

	private final Assets assets;

	private volatile ServerProcess etcd;

	private final int etcdPort;

	private final ApiServer apiServer;

	private final LivingParts livingParts = new LivingParts();

	private final Thread shutdownHook = new Thread(this::release, "control-plane-shutdown");

	private final String version;

	private boolean closed;

	private ControlPlane(Assets assets, List<TokenUser> users, Map<String, String> flags, int nodes) {
		this.users = users;
		this.assets = assets;
		this.folder = ControlPlaneFolder.create(users);
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
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Begins a control plane out of the binaries in a folder.
	 * @param assets a folder with {@code kube-apiserver} and {@code etcd}; for a living
	 * cluster also with {@code kube-controller-manager}, {@code kube-scheduler},
	 * {@code kwok} and {@code kwok-stages.yaml}
	 * @return a builder
	 */
	public static ControlPlaneBuilder from(Path assets) {
		return new ControlPlaneBuilder(new Assets(assets));
	}

	/**
	 * Begins a control plane out of the binaries in the folder that the environment
	 * variable {@code KUBEBUILDER_ASSETS} names.
	 * @return a builder
	 * @throws IllegalStateException when the variable is not set
	 */
	public static ControlPlaneBuilder fromEnvironment() {
		return new ControlPlaneBuilder(Assets.fromEnvironment()
			.orElseThrow(() -> new IllegalStateException(
					Assets.VARIABLE + " is not set; it names the folder with kube-apiserver and etcd")));
	}

	static ControlPlane start(Assets assets, List<TokenUser> users, Map<String, String> flags, int nodes) {
		assets.require(nodes > 0);
		for (int attempt = 1;; attempt++) {
			try {
				ControlPlane started = new ControlPlane(assets, users, flags, nodes);
				logger.atInfo()
					.addKeyValue("url", started.url())
					.addKeyValue("version", started.version())
					.addKeyValue("nodes", nodes)
					.addKeyValue("folder", started.folder.root())
					.log("Started a control plane");
				return started;
			}
			catch (IllegalStateException ex) {
				if (attempt == PORT_ATTEMPTS || !String.valueOf(ex.getMessage()).contains("address already in use")) {
					throw ex;
				}
				logger.atInfo().log("A port was taken meanwhile; the control plane is started on others");
			}
		}
	}

	/**
	 * Returns where the API server listens.
	 * @return the address, {@code https://127.0.0.1:PORT}, the same after a restart
	 */
	public URI url() {
		return this.apiServer.url();
	}

	/**
	 * Returns where etcd listens: for another API server on the same data, whose builder
	 * is given it as the flag {@code etcd-servers}.
	 * @return the address, {@code http://127.0.0.1:PORT}, the same after a restart
	 */
	public URI etcdUrl() {
		return URI.create("http://127.0.0.1:" + this.etcdPort);
	}

	/**
	 * Returns what the API server says its version is.
	 * @return the version, for instance {@code v1.36.3}
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Returns the certificate to trust in order to talk to the API server.
	 * @return the certificate in text form (PEM), the same after a restart
	 */
	public byte[] caCertificate() {
		return this.folder.certificateAuthority();
	}

	/**
	 * Returns the token of {@code admin}, who may do everything.
	 * @return the bearer token
	 */
	public String adminToken() {
		return token(ControlPlaneBuilder.ADMIN);
	}

	/**
	 * Returns a user's token.
	 * @param user the user's name, {@code admin} or one that the builder was given
	 * @return the bearer token
	 * @throws IllegalArgumentException when there is no such user
	 */
	public String token(String user) {
		return this.users.stream()
			.filter((candidate) -> candidate.name().equals(user))
			.findFirst()
			.map(TokenUser::token)
			.orElseThrow(() -> new IllegalArgumentException("There is no user %s; there are %s".formatted(user,
					this.users.stream().map(TokenUser::name).toList())));
	}

	/**
	 * Returns the administrator's kubeconfig.
	 * @return the file's text
	 */
	public String kubeconfig() {
		return kubeconfig(ControlPlaneBuilder.ADMIN);
	}

	/**
	 * Returns a user's kubeconfig.
	 * @param user the user's name, {@code admin} or one that the builder was given
	 * @return the file's text
	 * @throws IllegalArgumentException when there is no such user
	 */
	public String kubeconfig(String user) {
		return Kubeconfig.of(url(), caCertificate(), user, token(user));
	}

	/**
	 * Writes a user's kubeconfig to a file, which {@link #close()} deletes.
	 * @param user the user's name, {@code admin} or one that the builder was given
	 * @return the file's path
	 * @throws IllegalArgumentException when there is no such user
	 */
	public Path kubeconfigFile(String user) {
		String number = Integer.toString(this.users.stream().map(TokenUser::name).toList().indexOf(user));
		return this.folder.write("kubeconfig-" + number + ".yaml", kubeconfig(user));
	}

	/**
	 * Kills the API server (SIGKILL) and returns when it is gone. etcd keeps the data.
	 */
	public void killApiServer() {
		synchronized (this.lifecycle) {
			requireOpen();
			this.apiServer.kill();
		}
	}

	/**
	 * Starts the API server after it was killed, on the same port, etcd and certificate,
	 * and waits until it is ready.
	 * @throws IllegalStateException when it is running already or does not become ready
	 */
	public void startApiServer() {
		synchronized (this.lifecycle) {
			requireOpen();
			this.apiServer.start(this.etcd);
		}
	}

	/**
	 * Freezes the API server (SIGSTOP): connections stay open, new ones are accepted by
	 * the operating system, and nothing answers.
	 */
	public void suspendApiServer() {
		synchronized (this.lifecycle) {
			requireOpen();
			this.apiServer.suspend();
		}
	}

	/**
	 * Lets a frozen API server go on (SIGCONT).
	 */
	public void resumeApiServer() {
		synchronized (this.lifecycle) {
			requireOpen();
			this.apiServer.resume();
		}
	}

	/**
	 * Makes etcd forget every change until now, so that lists and watches from older
	 * resource versions are answered with 410. What the API server's own caches hold of
	 * it they keep until it is started again.
	 */
	public void compactHistory() {
		synchronized (this.lifecycle) {
			requireOpen();
			Etcd.compact(this.etcdPort);
		}
	}

	/**
	 * Keeps what etcd has now for {@link #restoreEtcd()}, in place of an earlier backup.
	 * etcd and the API server are killed for that and started again.
	 */
	public void backUpEtcd() {
		whileEtcdIsDown(() -> this.folder.copy(Etcd.DATA, Etcd.BACKUP));
	}

	/**
	 * Kills etcd and the API server, and starts them again with what etcd had at
	 * {@link #backUpEtcd()}: resource versions go back, and what happened since has never
	 * happened.
	 * @throws IllegalStateException when there is no backup
	 */
	public void restoreEtcd() {
		if (!Files.isDirectory(this.folder.root().resolve(Etcd.BACKUP))) {
			throw new IllegalStateException("There is no backup: call backUpEtcd() first");
		}
		whileEtcdIsDown(() -> this.folder.copy(Etcd.BACKUP, Etcd.DATA));
	}

	private void whileEtcdIsDown(Runnable action) {
		synchronized (this.lifecycle) {
			requireOpen();
			this.apiServer.kill();
			this.etcd.kill();
			action.run();
			this.etcd = Etcd.start(this.assets, this.folder.root(), this.etcdPort);
			this.apiServer.start(this.etcd);
		}
	}

	private void requireOpen() {
		if (this.closed) {
			throw new IllegalStateException("The control plane is closed");
		}
	}

	ApiConnection connection() {
		return this.apiServer.connection();
	}

	/**
	 * Ends all processes, waits until they are gone, and deletes their files. Does
	 * nothing the second time.
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
				logger.atDebug().log("The control plane is closed while the JVM shuts down");
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
