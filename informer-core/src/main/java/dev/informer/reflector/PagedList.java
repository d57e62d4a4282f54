/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListerWatcher;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatusException;

/**
 * Reads the whole state by LIST, page by page where the server can do that at no cost.
 * Belongs to the thread of its reflector.
 *
 * @param <T> the type of the objects
 */
final class PagedList<T> {

	private final ListerWatcher<T> source;

	private final int pageSize;

	private final PageFailureHandler failureHandler;

	/** Whether a list that came in one piece was cut off by the server. */
	private boolean cut;

	/** Whether the server pages even what it could serve from its watch cache. */
	private boolean paginated;

	PagedList(ListerWatcher<T> source, int pageSize, PageFailureHandler failureHandler) {
		this.source = source;
		this.pageSize = pageSize;
		this.failureHandler = failureHandler;
	}

	/**
	 * Reads the state.
	 * @param version how fresh it has to be at least
	 * @param snapshot takes the objects, whatever it had before is forgotten
	 * @param scope ends the requests
	 * @return the version of the state
	 */
	String read(String version, Snapshot<T> snapshot, Cancellation scope) throws IOException {
		String asked = this.cut ? "" : version;
		boolean paged = asked.isEmpty() || asked.equals("0") || this.paginated;
		snapshot.clear();
		ListPage first = page(new ListRequest(asked, paged ? this.pageSize : 0, null), snapshot, scope);
		ListPage page = first;
		while (page.continueToken() != null) {
			this.paginated |= "0".equals(asked);
			try {
				page = page(new ListRequest(null, this.pageSize, page.continueToken()), snapshot, scope);
			}
			catch (ServerStatusException ex) {
				if (!ex.status().isExpired()) {
					throw ex;
				}
				snapshot.clear();
				first = page(new ListRequest(asked, 0, null), snapshot, scope);
				page = first;
			}
		}
		this.cut = false;
		return first.resourceVersion();
	}

	/**
	 * Reads a page; a continuation that fails for a passing reason is read again by the
	 * same token.
	 */
	private ListPage page(ListRequest request, Snapshot<T> snapshot, Cancellation scope) throws IOException {
		Snapshot.Mark mark = snapshot.mark();
		while (true) {
			try {
				ListPage page = this.source.list(request, snapshot, scope);
				this.failureHandler.pageRead();
				return page;
			}
			catch (IOException ex) {
				this.cut |= request.continueToken() == null && !snapshot.mark().equals(mark);
				if (request.continueToken() == null || !isPassing(ex) || scope.isCancelled()) {
					throw ex;
				}
				snapshot.rollback(mark);
				this.failureHandler.pageFailed(ex);
				if (scope.isCancelled()) {
					throw ex;
				}
			}
		}
	}

	private static boolean isPassing(IOException failure) {
		if (failure instanceof ServerStatusException refused) {
			return refused.status().isOverloaded();
		}
		return !(failure instanceof MalformedResponseException);
	}

	/**
	 * Is told of pages.
	 */
	interface PageFailureHandler {

		/**
		 * A page was read.
		 */
		void pageRead();

		/**
		 * A page is going to be read again; returns when it is time for that.
		 */
		void pageFailed(IOException failure);

	}

}
