/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.io.File;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Properties of the informers. Unknown keys are rejected.
 */
@ConfigurationProperties(prefix = "informer", ignoreUnknownFields = false)
public class InformerProperties {

	/**
	 * Whether to start the informers with the application. Otherwise, all beans exist,
	 * but no server is contacted until the InformerRegistry is started.
	 */
	private boolean autoStartup = true;

	/**
	 * Whether to observe the invocations of handlers, for traces and the timer of
	 * invocations. Events of the initial list are not observed.
	 */
	private boolean observationEnabled;

	@NestedConfigurationProperty
	private final StartupProperties startup = new StartupProperties();

	@NestedConfigurationProperty
	private final DefaultsProperties defaults = new DefaultsProperties();

	/**
	 * Informers by name. The plural of a resource configures its default informer; any
	 * other name declares an additional one.
	 */
	private final Map<String, ResourceProperties> resources = new LinkedHashMap<>();

	/**
	 * Handlers by ID. These properties override the attributes of the annotation.
	 */
	private final Map<String, HandlerProperties> handlers = new LinkedHashMap<>();

	private final Connection connection = new Connection();

	private final Health health = new Health();

	@NestedConfigurationProperty
	private final LeaderProperties leader = new LeaderProperties();

	@NestedConfigurationProperty
	private final ShardingProperties sharding = new ShardingProperties();

	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	public void setAutoStartup(boolean autoStartup) {
		this.autoStartup = autoStartup;
	}

	public boolean isObservationEnabled() {
		return this.observationEnabled;
	}

	public void setObservationEnabled(boolean observationEnabled) {
		this.observationEnabled = observationEnabled;
	}

	public StartupProperties getStartup() {
		return this.startup;
	}

	public DefaultsProperties getDefaults() {
		return this.defaults;
	}

	public Map<String, ResourceProperties> getResources() {
		return this.resources;
	}

	public Map<String, HandlerProperties> getHandlers() {
		return this.handlers;
	}

	public Connection getConnection() {
		return this.connection;
	}

	public Health getHealth() {
		return this.health;
	}

	public LeaderProperties getLeader() {
		return this.leader;
	}

	public ShardingProperties getSharding() {
		return this.sharding;
	}

	/**
	 * Connection to the API server. By default, the kubeconfig of the environment or the
	 * cluster that the application runs in.
	 */
	public static class Connection {

		/**
		 * Kubeconfig file. $KUBECONFIG or ~/.kube/config by default.
		 */
		private @Nullable File kubeconfig;

		/**
		 * Context of the kubeconfig. Its current context by default.
		 */
		private @Nullable String context;

		/**
		 * URL of the API server. Replaces the kubeconfig.
		 */
		private @Nullable String url;

		/**
		 * CA certificate of the server at the URL, as a file or as PEM content.
		 */
		private @Nullable String caCertificate;

		/**
		 * URL of the proxy to the API server, with the scheme http or socks5, for http
		 * with user and password if required. That of the kubeconfig or of the JVM by
		 * default.
		 */
		private @Nullable String proxy;

		/**
		 * Bearer token for the server at the URL.
		 */
		private @Nullable String token;

		/**
		 * File with the bearer token for the server at the URL. Read again when it has
		 * changed.
		 */
		private @Nullable File tokenFile;

		/**
		 * Namespace for "@current" and for Leases. By default the namespace of the
		 * kubeconfig's context or of the service account, with a URL the namespace
		 * "default".
		 */
		private @Nullable String namespace;

		/**
		 * Whether to verify the certificate of the server at the URL. True by default.
		 */
		private @Nullable Boolean verifyTls;

		private final Ssl ssl = new Ssl();

		public @Nullable File getKubeconfig() {
			return this.kubeconfig;
		}

		public void setKubeconfig(@Nullable File kubeconfig) {
			this.kubeconfig = kubeconfig;
		}

		public @Nullable String getContext() {
			return this.context;
		}

		public void setContext(@Nullable String context) {
			this.context = context;
		}

		public @Nullable String getUrl() {
			return this.url;
		}

		public void setUrl(@Nullable String url) {
			this.url = url;
		}

		public @Nullable String getCaCertificate() {
			return this.caCertificate;
		}

		public void setCaCertificate(@Nullable String caCertificate) {
			this.caCertificate = caCertificate;
		}

		public @Nullable String getProxy() {
			return this.proxy;
		}

		public void setProxy(@Nullable String proxy) {
			this.proxy = proxy;
		}

		public @Nullable String getToken() {
			return this.token;
		}

		public void setToken(@Nullable String token) {
			this.token = token;
		}

		public @Nullable File getTokenFile() {
			return this.tokenFile;
		}

		public void setTokenFile(@Nullable File tokenFile) {
			this.tokenFile = tokenFile;
		}

		public @Nullable String getNamespace() {
			return this.namespace;
		}

		public void setNamespace(@Nullable String namespace) {
			this.namespace = namespace;
		}

		public @Nullable Boolean getVerifyTls() {
			return this.verifyTls;
		}

		public void setVerifyTls(@Nullable Boolean verifyTls) {
			this.verifyTls = verifyTls;
		}

		public Ssl getSsl() {
			return this.ssl;
		}

		/**
		 * TLS of the connection.
		 */
		public static class Ssl {

			/**
			 * SSL bundle with the trusted certificates and the client certificate for the
			 * server at the URL. Changes of a bundle that is reloaded on update are
			 * applied without a restart.
			 */
			private @Nullable String bundle;

			public @Nullable String getBundle() {
				return this.bundle;
			}

			public void setBundle(@Nullable String bundle) {
				this.bundle = bundle;
			}

		}

	}

	/**
	 * Health of the informers.
	 */
	public static class Health {

		/**
		 * Maximum time that an informer may be failing before its health is DOWN and an
		 * InformerStaleEvent is published.
		 */
		private Duration failingThreshold = Duration.ofMinutes(1);

		/**
		 * Maximum time that an invocation of a handler may take before the health of its
		 * informer is DOWN. Unlimited by default.
		 */
		private @Nullable Duration stuckHandlerThreshold;

		public Duration getFailingThreshold() {
			return this.failingThreshold;
		}

		public void setFailingThreshold(Duration failingThreshold) {
			this.failingThreshold = failingThreshold;
		}

		public @Nullable Duration getStuckHandlerThreshold() {
			return this.stuckHandlerThreshold;
		}

		public void setStuckHandlerThreshold(@Nullable Duration stuckHandlerThreshold) {
			this.stuckHandlerThreshold = stuckHandlerThreshold;
		}

	}

}
